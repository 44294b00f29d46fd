import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import Stripe from 'stripe'
import { inSpan, templateOf } from '../../platform/tracing.ts'
import { retryAfterOf } from '../retry-after.ts'
import { isUnsent } from '../unsent.ts'
import { callUnderWay, type OneCall } from './one-call.ts'

type HttpClient = ReturnType<typeof Stripe.createNodeHttpClient>
type HttpResponse = Awaited<ReturnType<HttpClient['makeRequest']>>

const firstFailure = 500
const limited = 429
const inUse = 409
/** A try that has less than this left would only be given up. */
const shortestTryMs = 250
const firstWaitMs = 500
const longestRetryAfterS = 3600

/**
 * The SDK's own client, made safe: a body that is JSON but no object would end the process (stripe 23.1 throws outside
 * of its promise), and a proxy's page with a status from 500 is an outage rather than a strange answer. A call ends in its
 * time with all its tries: the SDK repeats some by itself, with its full patience each time.
 */
export function createHttpClient(): HttpClient {
  const client = Stripe.createNodeHttpClient()
  const send = client.makeRequest.bind(client)

  const makeRequest = (...request: Parameters<typeof send>): Promise<HttpResponse> => {
    const [host, , path, method] = request
    const route = templateOf(path)
    const attributes = { 'http.request.method': method, 'server.address': host, 'http.route': route }
    return inSpan(`stripe ${method} ${route}`, attributes, async (span) => {
      const response = await send(...request)
      span?.set({ 'http.response.status_code': response.getStatusCode() })
      return response
    })
  }

  async function trial(call: OneCall | undefined, request: Parameters<typeof send>): Promise<HttpResponse> {
    const [host, port, path, method, headers, body, protocol, timeout] = request
    if (!call) return makeRequest(...request)
    const leftMs = Math.floor(call.endsAt - performance.now())
    if (leftMs < shortestTryMs) throw Stripe.HttpClient.makeTimeoutError()
    const withinMs = Math.min(timeout, call.tryMs, leftMs)
    try {
      const response = await makeRequest(host, port, path, method, headers, body, protocol, withinMs)
      const status = response.getStatusCode()
      call.mayHaveRun ||= status >= firstFailure || status === inUse
      return response
    } catch (error) {
      call.mayHaveRun ||= !isUnsent(error)
      throw error
    }
  }

  client.makeRequest = async (...request) => {
    const call = callUnderWay()
    for (let waitMs = firstWaitMs; ; waitMs *= 2) {
      const response = await trial(call, request)
      if (!call?.waitsForLimit || response.getStatusCode() !== limited) return checked(response, call)
      const pauseMs = Math.max(
        waitMs,
        (retryAfterOf(String(response.getHeaders()['retry-after'] ?? ''), longestRetryAfterS) ?? 0) * 1000,
      )
      if (!(performance.now() + pauseMs + shortestTryMs < call.endsAt)) return checked(response, call)
      await sleep(pauseMs)
    }
  }
  return client
}

const rawOf = (response: HttpResponse) => response.getRawResponse() as IncomingMessage

function checked(response: HttpResponse, call: OneCall | undefined): HttpResponse {
  const toJson = response.toJSON.bind(response)
  response.toJSON = async () => {
    const status = response.getStatusCode()
    // Its patience is for silence: an answer that drips has no end.
    const end = call && setTimeout(() => rawOf(response).destroy(), call.endsAt - performance.now())
    try {
      const value: unknown = await toJson()
      if (typeof value === 'object' && value !== null) return value
    } catch (error) {
      if (call) call.mayHaveRun = true
      if (status < firstFailure) throw error
    } finally {
      clearTimeout(end)
    }
    if (status >= firstFailure) return { error: { type: 'api_error', message: `Status ${status}` } }
    throw new TypeError('The body is not an object')
  }
  return response
}
