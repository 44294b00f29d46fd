import { maxMetadataKeys, ownMetadataKeys } from '@agency/contract/customers'
import type { RequestContext } from '../../../context.ts'
import type { StripeGateway } from '../../../integrations/stripe/gateway.ts'
import { AppError } from '../../../platform/errors.ts'
import { type Editable, hasTooManyKeys, type Wanted } from './editable.ts'

export function connectedStripe({ stripe }: RequestContext): StripeGateway {
  if (!stripe) throw new AppError('not_connected', 'Stripe is not connected')
  return stripe
}

export function checkKeys(before: Editable, wanted: Wanted): void {
  if (!hasTooManyKeys(before, wanted)) return
  const own = ownMetadataKeys.length
  throw new AppError(
    'invalid_request',
    `A customer has at most ${maxMetadataKeys} metadata keys, ${own} of them used by the console`,
    { parameter: 'metadata' },
  )
}
