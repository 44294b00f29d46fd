import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** `event: changes`, `data: {"topics":[…]}` when data changed; a comment line every 15 s keeps the stream open. */
export const openEventStream = endpoint({
  method: 'GET',
  path: '/events',
  permission: 'any',
  summary: 'Live changes as server-sent events',
  response: z.string(),
  produces: 'text/event-stream',
})
