import type { WebhookEndpoint } from '../stripe/types.ts'

export const matchingEndpoints = (endpoints: WebhookEndpoint[], type: string) =>
  endpoints.filter(
    ({ status, enabled_events }) =>
      status === 'enabled' && (enabled_events.includes('*') || enabled_events.includes(type)),
  )
