export type FormValue = string | FormHash | FormValue[]
export type FormHash = { [key: string]: FormValue }

const partsOf = (name: string): string[] => {
  const open = name.indexOf('[')
  if (open < 0) return [name]
  return [name.slice(0, open), ...[...name.slice(open).matchAll(/\[([^[\]]*)\]/g)].map((match) => match[1] ?? '')]
}

const blankHash = (): FormHash => Object.create(null) as FormHash

function put(target: FormHash, parts: string[], value: string): void {
  let holder = target
  for (const [index, part] of parts.entries()) {
    const key = part === '' ? String(Object.keys(holder).length) : part
    if (index === parts.length - 1) {
      holder[key] = value
      return
    }
    const inner = holder[key]
    if (typeof inner !== 'object' || Array.isArray(inner)) holder[key] = blankHash()
    holder = holder[key] as FormHash
  }
}

/** Reads `a[b][0]=c` as Stripe does; a list is a hash with numbers for keys until a field asks for a list. */
export function parseForm(text: string): FormHash {
  const form = blankHash()
  for (const [name, value] of new URLSearchParams(text)) put(form, partsOf(name), value)
  return form
}

export function asList(value: FormValue): FormValue[] | undefined {
  if (Array.isArray(value)) return value
  if (typeof value === 'string') return undefined
  const keys = Object.keys(value)
  if (!keys.every((key) => /^\d+$/.test(key))) return undefined
  return keys.sort((a, b) => Number(a) - Number(b)).map((key) => value[key]!)
}
