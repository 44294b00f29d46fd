import type { EndpointConfig } from '@agency/contract/endpoint'
import { invalidParameter } from '../errors.ts'

type Definition = { type?: string; innerType?: { def?: Definition } }
type Shaped = { shape?: Record<string, { def?: Definition }> }

/** Under its default, its `optional` and the like. */
function isNumber(definition: Definition | undefined): boolean {
  if (definition?.type === 'number') return true
  return definition?.innerType !== undefined && isNumber(definition.innerType.def)
}

const plain = /^-?\d{1,15}(?:\.\d{1,15})?$/

/**
 * Refuses query parameters that are to be numbers and are not written as one: JavaScript would take `0x10`, `1e1` and an empty
 * text for numbers, too. Answers the check for the parameters of an endpoint.
 */
export function plainNumbers({ query }: Pick<EndpointConfig, 'query'>): (given: unknown) => void {
  const shape = (query as Shaped | undefined)?.shape ?? {}
  const names = Object.keys(shape).filter((name) => isNumber(shape[name]?.def))
  return (given) => {
    for (const name of names) {
      const value = (given as Record<string, unknown> | null)?.[name]
      if (typeof value === 'string' && !plain.test(value))
        throw invalidParameter(name, 'must be a plain number, such as 10')
    }
  }
}
