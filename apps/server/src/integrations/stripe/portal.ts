import { checkObject } from './answers.ts'
import { ProviderError } from './errors.ts'
import type { PortalSession, StripeGateway } from './gateway.ts'

type Ask = (method: string, path: string, params?: Record<string, unknown>) => Promise<unknown>

const path = '/v1/billing_portal/sessions'

/** A browser is sent there. A provider on this machine shows its pages where it listens. */
function checkAddress(value: unknown, localOrigin: string | null): string {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined
  if (url?.protocol === 'https:') return localOrigin === null ? url.href : new URL(url.pathname, localOrigin).href
  throw new ProviderError('bad_answer', 'Stripe gave no address of the billing portal')
}

export function portal(ask: Ask, localOrigin: string | null) {
  return {
    async createPortalSession(customer: string, returnUrl?: string): Promise<PortalSession> {
      const body = { customer, ...(returnUrl !== undefined && { return_url: returnUrl }) }
      const value = await ask('POST', path, body)
      const last = (value as { lastResponse?: { requestId?: string } } | null)?.lastResponse
      const session = checkObject(value, 'billing_portal.session')
      return { url: checkAddress(session['url'], localOrigin), requestId: last?.requestId ?? null }
    },
  } satisfies Partial<StripeGateway>
}
