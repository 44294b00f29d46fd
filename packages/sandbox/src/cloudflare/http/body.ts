import type { IncomingMessage } from 'node:http'
import { readBytes } from '../../http/read-body.ts'
import { bodyTooLarge, unreadableBody } from './errors.ts'

const bodyLimit = 26_214_400

async function readForm(bytes: Buffer, type: string): Promise<Record<string, unknown>> {
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
  return Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'))
}

/** JSON, or the text fields of a form; files of an upload are not looked at. */
export async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const bytes = await readBytes(request, bodyLimit)
  if (!bytes) throw bodyTooLarge()
  if (bytes.length === 0) return {}
  const type = request.headers['content-type'] ?? ''
  try {
    if (type.startsWith('multipart/form-data')) return await readForm(bytes, type)
    const body: unknown = JSON.parse(bytes.toString('utf8'))
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>
  } catch {
    throw unreadableBody()
  }
  throw unreadableBody()
}
