import type { IncomingMessage, ServerResponse } from 'node:http'
import { readBytes } from '../http/read-body.ts'

const bodyLimit = 65_536

export class Refusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export async function readText(request: IncomingMessage): Promise<string> {
  const bytes = await readBytes(request, bodyLimit)
  if (!bytes) throw new Refusal(413, 'The request body is too large')
  return bytes.toString('utf8')
}

export function asObject(text: string): Record<string, unknown> {
  if (text === '') return {}
  // The database that these texts are looked for in holds none.
  if (/\\u0000/.test(text)) throw new Refusal(400, 'The request body holds a NUL')
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {}
  throw new Refusal(400, 'The request body must be a JSON object')
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.end(text)
}

export function sendPage(
  response: ServerResponse,
  status: number,
  html: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(html),
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'x-content-type-options': 'nosniff',
    ...headers,
  })
  response.end(html)
}
