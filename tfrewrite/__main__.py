"""`python -m tfrewrite` does what the command `tfrewrite` does."""

from tfrewrite.cli import main

if __name__ == "__main__":
    main()
