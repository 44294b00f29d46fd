import { badInteger, badValue, emptyParameter, missingParameter, unknownParameter } from './errors.ts'
import { asList, type FormHash, type FormValue } from './form.ts'

export type Field<T> = {
  read(value: FormValue, param: string): T
  required?: boolean
  /** What may be named within it. */
  inner?: Shape
  isList?: true
  /** Known at Stripe and not imitated, so refused whatever its value. */
  isUnsupported?: true
}
export type Shape = Record<string, Field<unknown>>
export type Required<T> = Field<T> & { required: true }
export type Params<S extends Shape> = {
  [Key in keyof S as S[Key] extends Required<unknown> ? Key : never]: S[Key] extends Field<infer T> ? T : never
} & {
  [Key in keyof S as S[Key] extends Required<unknown> ? never : Key]?: S[Key] extends Field<infer T>
    ? T | undefined
    : never
}

const scalar = (value: FormValue, param: string): string => {
  if (typeof value !== 'string') throw badValue(`Invalid string: ${JSON.stringify(value)}`, param)
  return value
}

const filled = (value: FormValue, param: string): string => {
  const text = scalar(value, param)
  if (text === '') throw emptyParameter(param)
  return text
}

export const str = (maximum = 5000): Field<string> => ({
  read(value, param) {
    const text = filled(value, param)
    if (text.length > maximum) {
      throw badValue(
        `Invalid string: must be at most ${maximum} characters`,
        param,
        'parameter_invalid_string_too_long',
      )
    }
    return text
  },
})

export const int = (minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER): Field<number> => ({
  read(value, param) {
    const text = filled(value, param)
    if (!/^-?\d+$/.test(text)) throw badInteger(param, text)
    const number = Number(text)
    if (number < minimum) {
      throw badValue(`This value must be greater than or equal to ${minimum}.`, param, 'parameter_invalid_integer')
    }
    if (number > maximum) {
      throw badValue(`This value must be less than or equal to ${maximum}.`, param, 'parameter_invalid_integer')
    }
    return number
  },
})

export const decimal = (): Field<string> => ({
  read(value, param) {
    const text = filled(value, param)
    if (!/^-?\d+(\.\d+)?$/.test(text)) throw badValue(`Invalid decimal: ${text}`, param)
    return text
  },
})

export const bool = (): Field<boolean> => ({
  read(value, param) {
    const text = filled(value, param)
    if (text !== 'true' && text !== 'false') throw badValue(`Invalid boolean: ${text}`, param)
    return text === 'true'
  },
})

export const oneOf = <const T extends string>(...values: T[]): Field<T> => ({
  read(value, param) {
    const text = filled(value, param)
    const found = values.find((each) => each === text)
    if (found === undefined) {
      const named = values.length > 1 ? `${values.slice(0, -1).join(', ')}, or ${values.at(-1)}` : values[0]
      throw badValue(`Invalid ${param}: must be one of ${named}`, param)
    }
    return found
  },
})

/** A moment in seconds, or the word `now`. */
export const moment = (...words: string[]): Field<number | string> => ({
  read(value, param) {
    const text = filled(value, param)
    return words.includes(text) ? text : int(0).read(text, param)
  },
})

export const required = <T>(field: Field<T>): Required<T> => ({ ...field, required: true })

/** An empty value unsets. */
export const emptyable = <T>(field: Field<T>): Field<T | null> => ({
  ...field,
  read: (value, param) => (value === '' ? null : field.read(value, param)),
})

export const list = <T>(field: Field<T>): Field<T[]> => ({
  ...(field.inner && { inner: field.inner }),
  isList: true,
  read(value, param) {
    const items = asList(value)
    if (!items) throw badValue('Invalid array', param)
    return items.map((item, index) => field.read(item, `${param}[${index}]`))
  },
})

export const hash = <S extends Shape>(shape: S): Field<Params<S>> => ({
  inner: shape,
  read(value, param) {
    if (typeof value === 'string' || Array.isArray(value)) throw badValue('Invalid object', param)
    return readParams(shape, value, param)
  },
})

/** Stripe knows the parameter, this imitation does not: better refused than silently left out. */
export const unsupported = (): Field<never> => ({
  isUnsupported: true,
  read(_value, param) {
    throw badValue(`The sandbox does not imitate the parameter: ${param}`, param, 'sandbox_unsupported')
  },
})

/** Of what Stripe knows here, this imitation does only these. */
export const played = <const T extends string>(...values: T[]): Field<T> => ({
  read(value, param) {
    const text = filled(value, param)
    const found = values.find((each) => each === text)
    if (found !== undefined) return found
    throw badValue(`The sandbox does not imitate ${param}: ${text}`, param, 'sandbox_unsupported')
  },
})

const metadataLimits = { keys: 50, key: 40, value: 500 }

/** Metadata changes: an empty value removes its key, an empty whole removes all. */
export const metadata = (): Field<Record<string, string> | null> => ({
  read(value, param) {
    if (value === '') return null
    if (typeof value === 'string' || Array.isArray(value)) throw badValue('Invalid object', param)
    const entries = Object.entries(value)
    if (entries.length > metadataLimits.keys) throw badValue('Metadata may have at most 50 keys', param)
    for (const [key, inner] of entries) {
      const text = scalar(inner, `${param}[${key}]`)
      if (key.length > metadataLimits.key) throw badValue('Metadata keys must be 40 characters or less', param)
      if (text.length > metadataLimits.value) {
        throw badValue(
          `Metadata values can have up to 500 characters, but you passed in a value that is ${text.length} characters. Invalid value: ${text.slice(0, 20)}...`,
          `${param}[${key}]`,
        )
      }
    }
    return Object.fromEntries(entries) as Record<string, string>
  },
})

export function mergeMetadata(
  before: Record<string, string> | null,
  change: Record<string, string> | null | undefined,
): Record<string, string> {
  if (change === undefined) return before ?? {}
  if (change === null) return {}
  const merged = { ...before, ...change }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ''))
}

const range = hash({ gt: int(0), gte: int(0), lt: int(0), lte: int(0) })
export type Range = { gt?: number; gte?: number; lt?: number; lte?: number }

/** A moment, or bounds. */
export const created = (): Field<Range> => ({
  read(value, param) {
    if (typeof value !== 'string') return range.read(value, param)
    const at = int(0).read(value, param)
    return { gte: at, lte: at }
  },
})

export const page = { limit: int(1, 100), starting_after: str(), ending_before: str() }

export function readParams<S extends Shape>(shape: S, form: FormHash, parent = ''): Params<S> {
  const named = (key: string) => (parent ? `${parent}[${key}]` : key)
  for (const key of Object.keys(form)) if (!Object.hasOwn(shape, key)) throw unknownParameter(named(key))
  const result: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(form)) result[key] = shape[key]?.read(value, named(key))
  for (const [key, field] of Object.entries(shape))
    if (field.required && !Object.hasOwn(form, key)) throw missingParameter(named(key))
  return result as Params<S>
}
