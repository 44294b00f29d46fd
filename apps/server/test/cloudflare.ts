import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { CloudflareAllowance } from '../src/integrations/cloudflare/allowance.ts'
import { createCloudflareGateway } from '../src/integrations/cloudflare/client.ts'
import type { CloudflareGateway } from '../src/integrations/cloudflare/gateway.ts'
import { unlimited } from '../src/platform/allowance.ts'

/** A gateway to whatever plays Cloudflare at an address. */
export const cloudflareAt = (
  address: { baseUrl: string; apiToken?: string; accountId?: string },
  options: { allowance?: CloudflareAllowance; timeoutMs?: number } = {},
): CloudflareGateway =>
  createCloudflareGateway({
    apiToken: address.apiToken ?? 'token',
    apiBase: address.baseUrl,
    accountId: address.accountId,
    allowance: unlimited,
    ...options,
  }).gateway

export type Asked = {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: string
}
/** What is answered: JSON under status 200, or by hand. */
export type Answered = {
  json?: unknown
  status?: number
  headers?: Record<string, string>
  raw?: string
  cut?: boolean
}
export type Answer = (asked: Asked) => Answered | undefined | Promise<Answered | undefined>

export const enveloped = (result: unknown, info?: object): Answered => ({
  json: { success: true, errors: [], messages: [], result, ...(info && { result_info: info }) },
})

export const refused = (
  status: number,
  code: number,
  message: string,
  headers: Record<string, string> = {},
): Answered => ({
  status,
  headers,
  json: { success: false, errors: [{ code, message }], messages: [], result: null },
})

function send(response: ServerResponse, { json, status = 200, headers, raw, cut }: Answered): void {
  const body = raw ?? JSON.stringify(json)
  response.writeHead(status, { 'content-type': 'application/json', 'cf-ray': 'ray-1', ...headers })
  if (!cut) return void response.end(body)
  response.write(body.slice(0, body.length / 2))
  response.destroy()
}

/** A server of a few lines that speaks Cloudflare's protocol, or not; what it is asked is kept. */
export async function startCloudflareStandIn(answer: Answer) {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://stand-in')
    const one = {
      method: request.method ?? 'GET',
      path: url.pathname.replace('/client/v4', ''),
      query: url.searchParams,
      headers: request.headers,
      body: await text(request),
    }
    asked.push(one)
    send(response, (await answer(one)) ?? refused(404, 7003, 'Could not route to it'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    asked,
    baseUrl: `http://127.0.0.1:${port}/client/v4`,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
