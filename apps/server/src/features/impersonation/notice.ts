import type { TransactionContext } from '../../context.ts'
import { queueMail } from '../mail/index.ts'
import type { CustomerRow, ImpersonationRow } from './queries/impersonations.ts'

const minuteText = (date: Date): string =>
  date.toLocaleString('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

const done: Record<string, string> = {
  view: 'viewed your account (read-only)',
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
    `on ${minuteText(started_at)} UTC, an administrator of ${companyName} ${done[way]}.`,
    `If you did not expect this, please ask ${companyName}.`,
  ]
  return queueMail(tx, {
    kind: 'customer.impersonation',
    to: { address: email ?? '', name },
    subject: `${companyName} has opened your account`,
    text: `${lines.join('\n\n')}\n`,
  })
}
