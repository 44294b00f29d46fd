/** How one search parameter is read and written. Reading never fails: what it does not know is the default. */
export type Field<T, Initial = unknown> = {
  /** What is read where the URL says nothing. */
  initial: Initial
  read: (text: string | null) => T
  /** null where the value is the default, which the URL leaves out. */
  write: (value: T) => string | null
  /** A change of it stays on the page that is shown, as opening a row's details does. */
  keepsPage: boolean
}
export type Schema = Record<string, Omit<Field<unknown>, 'write'> & { write: (value: never) => string | null }>
export type StateOf<S extends Schema> = { [K in keyof S]: ReturnType<S[K]['read']> }
/** What a field holds when it is not at its default. */
export type ChosenOf<F extends Schema[string]> = Exclude<ReturnType<F['read']>, F['initial']>

type FieldOptions = { keepsPage?: boolean }

export function text(initial: '' = '', { keepsPage = false }: FieldOptions = {}): Field<string, ''> {
  return { initial, read: (raw) => raw ?? initial, write: (value) => (value === initial ? null : value), keepsPage }
}

export function oneOf<const V extends readonly string[], const I extends V[number]>(
  values: V,
  initial: I,
  { keepsPage = false }: FieldOptions = {},
): Field<V[number], I> {
  return {
    initial,
    read: (raw) => (raw !== null && values.includes(raw) ? raw : initial),
    write: (value) => (value === initial ? null : value),
    keepsPage,
  }
}

export function whole(initial: null = null, { keepsPage = false }: FieldOptions = {}): Field<number | null, null> {
  return {
    initial,
    read: (raw) => (raw !== null && /^-?\d{1,15}$/.test(raw) ? Number(raw) : initial),
    write: (value) => (value === null ? null : String(value)),
    keepsPage,
  }
}

/** Several values of a known set, separated by commas. */
export function someOf<const V extends readonly string[]>(
  values: V,
  { keepsPage = false }: FieldOptions = {},
): Field<V[number][], never[]> {
  return {
    initial: [],
    read: (raw) => (raw ?? '').split(',').filter((part): part is V[number] => values.includes(part)),
    write: (value) => (value.length === 0 ? null : value.join(',')),
    keepsPage,
  }
}

/** The parameters that say which page of a list is shown; any other change goes back to the first. */
export const pageParams = ['after', 'before', 'at'] as const

export function readState<S extends Schema>(schema: S, params: URLSearchParams): StateOf<S> {
  const state: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(schema)) state[name] = field.read(params.get(name))
  return state as StateOf<S>
}

/** The address as it is. What is rendered may be behind it, and a change that starts from there would undo the one before. */
export function addressParams(): URLSearchParams {
  return new URLSearchParams(window.location.search)
}

export function writeState<S extends Schema>(
  schema: S,
  params: URLSearchParams,
  change: Partial<StateOf<S>>,
): URLSearchParams {
  const next = new URLSearchParams(params)
  let keepsPage = true
  for (const [name, value] of Object.entries(change)) {
    const field = schema[name] as Field<typeof value> | undefined
    if (!field || value === undefined) continue
    const written = field.write(value)
    if (written === null) next.delete(name)
    else next.set(name, written)
    keepsPage &&= field.keepsPage
  }
  if (!keepsPage) for (const name of pageParams) next.delete(name)
  return next
}
