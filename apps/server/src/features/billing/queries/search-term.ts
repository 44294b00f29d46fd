import type { Values } from '../../../platform/statements.ts'

/** What somebody typed, as SQL expressions over its placeholders. */
export type SearchTerm = {
  raw: string
  /** Folded like the documents are. */
  text: string
  /** The same as a pattern of LIKE that is found anywhere. */
  pattern: string
  /** Three letters or digits of ASCII in a row, which is what the trigram indexes know in every locale. */
  hasTrigram: boolean
}

export const escapePattern = (value: string): string => value.replace(/[\\%_]/g, '\\$&')

export function searchTerm(values: Values, search: string | undefined): SearchTerm | undefined {
  const raw = search?.trim()
  if (!raw) return undefined
  let text: string | undefined
  return {
    raw,
    // A value that the statement does not use has no type, which the database refuses.
    get text() {
      text ??= `search_fold(${values.add(raw)})`
      return text
    },
    pattern: `search_fold(${values.add(`%${escapePattern(raw)}%`)})`,
    hasTrigram: /[a-z0-9]{3}/i.test(raw),
  }
}

// Its text is asked for only where it is used: see above.
/** Customers `cs` by any of name, email and company, and with three letters or more by id. */
export const customerMatches = (term: SearchTerm): string =>
  term.hasTrigram
    ? `cs.doc like ${term.pattern}`
    : `cs.doc like ${term.pattern} and strpos(cs.doc, ${term.text}) between 1 and cs.words_length`

/** Customers `cs` by name or email alone: both come first in the document. */
export const ownerMatches = (term: SearchTerm): string =>
  `cs.doc like ${term.pattern} and strpos(cs.doc, ${term.text}) between 1 and cs.who_length`

/** The same by an index: where trigrams cannot help, single characters and pairs of them can. */
export const findsCustomers = (term: SearchTerm): string =>
  term.hasTrigram
    ? customerMatches(term)
    : `${byGrams(term)} and strpos(cs.doc, ${term.text}) between 1 and cs.words_length`

export const findsOwners = (term: SearchTerm): string =>
  term.hasTrigram
    ? // An index of its own: a word that every company has is in the documents of all, and in nobody's name.
      `left(cs.doc, cs.who_length) like ${term.pattern}`
    : `${byGrams(term)} and strpos(cs.doc, ${term.text}) between 1 and cs.who_length`

const byGrams = (term: SearchTerm): string =>
  `search_grams(left(cs.doc, cs.words_length)) @> search_grams(${term.text})`
