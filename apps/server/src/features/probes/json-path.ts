type Step = string | number

const isNameStart = (char: string) => /[A-Za-z_]/.test(char)
const isName = (char: string) => /[A-Za-z0-9_-]/.test(char)
const isDigit = (char: string) => char >= '0' && char <= '9'

/**
 * The steps of a JSON path, null when it is none. Only names and positions are known, `$.data.items[0].name`: one value
 * or nothing is found, in time that grows with the length of the path alone.
 */
export function parseJsonPath(text: string): Step[] | null {
  if (text[0] !== '$') return null
  const steps: Step[] = []
  let at = 1
  const take = (belongs: (char: string) => boolean): string => {
    const start = at
    while (at < text.length && belongs(text[at] as string)) at += 1
    return text.slice(start, at)
  }
  while (at < text.length) {
    const opening = text[at]
    at += 1
    if (opening === '.') {
      if (!isNameStart(text[at] ?? '')) return null
      steps.push(take(isName))
    } else if (opening === '[') {
      const digits = take(isDigit)
      if (digits === '' || digits.length > 4 || text[at] !== ']') return null
      at += 1
      steps.push(Number(digits))
    } else return null
  }
  return steps
}

/** The value at the path; undefined when there is none. */
export function valueAt(document: unknown, steps: readonly Step[]): unknown {
  let value = document
  for (const step of steps) {
    if (typeof value !== 'object' || value === null) return undefined
    if (typeof step === 'number' ? !Array.isArray(value) : Array.isArray(value)) return undefined
    if (!Object.hasOwn(value, step)) return undefined
    value = (value as Record<Step, unknown>)[step]
  }
  return value
}
