import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'

/** How a NUL and half a surrogate pair are written: the only way that text gets into JSON which no table can hold. */
const suspicious = /\\u(?:0000|d[89a-f])/i

function isStorable(value: unknown): boolean {
  const left: unknown[] = [value]
  // A loop, for nothing limits how deep a body is nested.
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (typeof next === 'string' && (next.includes('\0') || !next.isWellFormed())) return false
    if (typeof next === 'object' && next !== null)
      for (const [name, inner] of Object.entries(next)) left.push(name, inner)
  }
  return true
}

/** JSON as the framework reads it, except that no body at all is no body, although the call is labelled as JSON. */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined)
    void parse(request, body, (error, value) => {
      if (error || !suspicious.test(body) || isStorable(value)) done(error, value)
      else done(new AppError('invalid_request', 'The body holds characters that are no text'))
    })
  })
}
