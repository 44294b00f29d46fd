/**
 * How well words fit what was typed, smaller is better; undefined: not at all. Every word that was typed must begin one of
 * the title or, which counts less, of the words that go with it.
 */
export function rank(term: string, title: string, words: string): number | undefined {
  const typed = wordsOf(term)
  if (typed.length === 0) return undefined
  const own = wordsOf(title)
  const all = [...own, ...wordsOf(words)]
  const begins = (among: string[]) => typed.every((word) => among.some((each) => each.startsWith(word)))
  if (own.join(' ').startsWith(typed.join(' '))) return 0
  if (begins(own)) return 1
  return begins(all) ? 2 : undefined
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** What fits, the best first, with how well it does; of equals, what was first before. All of it for an empty term. */
export function best<T extends { title: string; words: string }>(all: readonly T[], term: string): (T & Fit)[] {
  return all
    .flatMap((one) => {
      const place = term === '' ? 0 : rank(term, one.title, one.words)
      return place === undefined ? [] : [{ ...one, place }]
    })
    .sort((a, b) => a.place - b.place)
}

type Fit = { place: number }
