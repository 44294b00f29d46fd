import { answerFields, type GraphqlContext } from './answer.ts'
import { parseQuery } from './parse.ts'
import { GraphqlRefusal } from './refusal.ts'

export type { GraphqlContext, GraphqlZone } from './answer.ts'

export type GraphqlAnswer = { data: Record<string, unknown> | null; errors: unknown[] | null }

/** The analytics API's answer to the parsed body of a request; always sent under status 200, errors too. */
export function answerGraphql(context: GraphqlContext, body: unknown): GraphqlAnswer {
  const { query, variables } = (body ?? {}) as { query?: unknown; variables?: unknown }
  try {
    if (typeof query !== 'string' || query.trim() === '') throw new GraphqlRefusal('must provide query string')
    const given = typeof variables === 'object' && variables !== null ? (variables as Record<string, unknown>) : {}
    return { data: answerFields(context, parseQuery(query, given)), errors: null }
  } catch (error) {
    if (!(error instanceof GraphqlRefusal)) throw error
    const extensions = { timestamp: new Date(context.now).toISOString() }
    return { data: null, errors: [{ message: error.message, path: error.path, extensions }] }
  }
}
