import type { TransactionContext } from '../../context.ts'
import { utcText } from '../../platform/day-text.ts'
import { queueMail } from '../mail/index.ts'
import type { CustomerRow, ImpersonationRow } from './queries/impersonations.ts'

const done: Record<string, string> = {
  view: 'viewed your account',
  portal: 'opened your billing portal',
}

/** Tells the customer that somebody of the agency acts for them. The reason is for the agency's own eyes. */
export function mailNotice(
  tx: TransactionContext,
  { way, started_at }: Pick<ImpersonationRow, 'way' | 'started_at'>,
  { name, email }: Pick<CustomerRow, 'name' | 'email'>,
): Promise<'queued' | 'kept'> {
  const { companyName } = tx.config.settings
  const lines = [
    name ? `Hello ${name},` : 'Hello,',
    `On ${utcText(started_at)}, an administrator of ${companyName} ${done[way]}${way === 'view' ? ' (read-only)' : ''}.`,
    `If you did not expect this, please contact ${companyName}.`,
  ]
  return queueMail(tx, {
    kind: 'customer.impersonation',
    to: { address: email ?? '', name },
    subject: `${companyName} ${done[way]}`,
    text: `${lines.join('\n\n')}\n`,
  })
}
