import type { FieldPath, FieldValues } from 'react-hook-form'

type Refusal = { message: string; code?: string; parameter?: string | undefined }

export type Refused<V extends FieldValues> = { name: FieldPath<V>; message: string }

/** Somebody has saved another version meanwhile. */
export const isOutdated = ({ code, parameter }: Refusal): boolean => code === 'conflict' && parameter === 'version'

/** The refusal of the server or of a provider, at the field that it names: `body.domain`, `address[city]`, `metadata[x]`. */
export function refusedAt<V extends FieldValues>(
  error: Refusal | null,
  values: V,
  fields: Readonly<Record<string, FieldPath<V>>> = {},
): Refused<V> | undefined {
  // No field holds the version.
  if (!error?.parameter || error.parameter === 'version') return undefined
  const parts = error.parameter.split(/[.[\]]+/).filter((part) => part !== '')
  const named = parts.findLast((part) => Object.hasOwn(fields, part) || Object.hasOwn(values, part))
  if (named === undefined) return undefined
  const name = fields[named] ?? (named as FieldPath<V>)
  return { name, message: error.message.replace(/^[\w.]+: /, '') }
}
