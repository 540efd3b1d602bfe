"""One result, many views of it.

For people at a terminal:
    terminal             colours, the summary, the progress bar
    diff, notebook_diff  the changes
    explain              why a place was rewritten or left alone, with `advice` and `remarks`
    pages                the catalogue
    picture, profile     memory over time, and the lines that hold most of it
    budget               the combinations that were measured for a limit of memory
    tree                 the tree that rules see
For programs and code review (`documents` names them, `annotations` is what they are made of):
    json, sarif, rdjson, github, gitlab
    markdown, html       a comment and a page, with `markdown_text`, `web_page` and `highlighting`
Of `tfrewrite compare`:
    comparison           for a terminal
    comparison_json, comparison_markdown, comparison_html
"""
