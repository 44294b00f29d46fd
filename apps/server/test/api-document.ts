import { readFileSync } from 'node:fs'

const file = new URL('../../../docs/openapi.json', import.meta.url)

/** `docs/openapi.json` with the target in place of every reference; what is referred to twice stays one object. */
export function readApiDocument(): unknown {
  const document = JSON.parse(readFileSync(file, 'utf8')) as unknown
  const targets = new Map<string, unknown>()

  function find(ref: string): unknown {
    if (targets.has(ref)) {
      const known = targets.get(ref)
      if (known === undefined) throw new Error(`${ref} refers to itself`)
      return known
    }
    targets.set(ref, undefined)
    const steps = ref.replace(/^#\//, '').split('/')
    const target = steps.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], document)
    if (target === undefined) throw new Error(`The document has no ${ref}`)
    const written = writeOut(target)
    targets.set(ref, written)
    return written
  }

  function writeOut(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(writeOut)
    if (typeof value !== 'object' || value === null) return value
    const { $ref, ...own } = value as Record<string, unknown>
    const fields = Object.entries(own).map(([key, inner]) => [key, writeOut(inner)] as const)
    if ($ref === undefined) return Object.fromEntries(fields)
    const target = find(String($ref))
    return fields.length === 0 ? target : { ...(target as object), ...Object.fromEntries(fields) }
  }

  return writeOut(document)
}
