class Deck:
    def __init__(self, cards):
        self.cards = cards

    def map(self, change):
        return Deck([change(card) for card in self.cards])

    def shuffle(self, seed):
        self.cards = self.cards[seed:] + self.cards[:seed]
        return self.cards


cards = Deck(["tensorflow", "keras"]).map(str.upper).shuffle(1)
