import Stripe from 'stripe'

type HttpClient = ReturnType<typeof Stripe.createNodeHttpClient>
type HttpResponse = Awaited<ReturnType<HttpClient['makeRequest']>>

const firstFailure = 500

/**
 * The SDK's own client, made safe: a body that is JSON but no object would end the process (stripe 23.1 throws outside
 * of its promise), and a proxy's page with a status from 500 is an outage rather than a strange answer.
 */
export function createHttpClient(): HttpClient {
  const client = Stripe.createNodeHttpClient()
  const makeRequest = client.makeRequest.bind(client)
  client.makeRequest = async (...request) => checked(await makeRequest(...request))
  return client
}

function checked(response: HttpResponse): HttpResponse {
  const toJson = response.toJSON.bind(response)
  response.toJSON = async () => {
    const status = response.getStatusCode()
    try {
      const value: unknown = await toJson()
      if (typeof value === 'object' && value !== null) return value
    } catch (error) {
      if (status < firstFailure) throw error
    }
    if (status >= firstFailure) return { error: { type: 'api_error', message: `Status ${status}` } }
    throw new TypeError('The body is not an object')
  }
  return response
}
