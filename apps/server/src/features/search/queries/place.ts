import type { Values } from '../../../platform/statements.ts'

/** What was typed, folded as names are. */
export const foldedText = (values: Values, text: string): string => `search_fold(${values.add(text)})`

/** 0: the name begins with the term, 1: one of its words does, 2: the term is elsewhere. */
export function placeOf(values: Values, text: string, name: string): string {
  const word = values.add(`(^|[^[:alnum:]])${text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')}`)
  return `case when starts_with(search_fold(${name}), ${foldedText(values, text)}) then 0
    when search_fold(${name}) ~ search_fold(${word}) then 1 else 2 end`
}
