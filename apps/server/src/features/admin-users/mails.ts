import type { RequestContext, TransactionContext } from '../../context.ts'
import { utcText } from '../../platform/day-text.ts'
import { queueMail } from '../mail/index.ts'

/** By mail, in the outbox because there is no mail server, or not at all. */
export type MailState = 'queued' | 'kept' | 'none'
type Person = { id: string; email: string; name: string }
type Mail = { kind: string; subject: string; lines: readonly (string | null)[] }

/** The whole address where the console knows its own; else its path, before which the screen puts what it was reached at. */
export const addressOf = ({ config }: Pick<RequestContext, 'config'>, path: string): string =>
  `${config.publicUrl ?? ''}${path}`

function send(tx: TransactionContext, { id, email, name }: Person, { kind, subject, lines }: Mail) {
  const text = [`Hello ${name},`, ...lines.filter((line) => line !== null)].join('\n\n')
  return queueMail(tx, { kind, to: { address: email, name }, subject, text: `${text}\n`, userId: id })
}

/** A link is sent only where the console knows its own address: that of a request could be anybody's. */
export async function mailLink(
  tx: TransactionContext,
  person: Person,
  link: { kind: 'invitation' | 'password_reset'; path: string; expiresAt: Date },
): Promise<MailState> {
  if (tx.config.publicUrl === undefined) return 'none'
  const { companyName } = tx.config.settings
  const isInvitation = link.kind === 'invitation'
  return send(tx, person, {
    kind: `user.${link.kind}`,
    subject: isInvitation ? `Your invitation to ${companyName}` : `Choose a new password for ${companyName}`,
    lines: [
      isInvitation
        ? `${tx.actor.name} invited you to the console of ${companyName}. Open this link and choose a password:`
        : `${tx.actor.name} reset your password for the console of ${companyName}. Open this link and choose a new one:`,
      addressOf(tx, link.path),
      `The link works once, until ${utcText(link.expiresAt)}.`,
      'If you did not expect this email, do not open the link and tell your administrator.',
    ],
  })
}

/** Never holds the password, which the administrator hands over by another way. */
export function mailTemporaryPassword(
  tx: TransactionContext,
  person: Person,
  what: 'welcome' | 'password_reset',
  expiresAt: Date,
): Promise<MailState> {
  const { companyName } = tx.config.settings
  return send(tx, person, {
    kind: what === 'welcome' ? 'user.welcome' : 'user.password_reset',
    subject: what === 'welcome' ? `Welcome to ${companyName}` : `Your password for ${companyName} was reset`,
    lines: [
      what === 'welcome'
        ? `${tx.actor.name} added you to the console of ${companyName}.`
        : `${tx.actor.name} reset your password for the console of ${companyName}. You were signed out everywhere.`,
      `${tx.actor.name} will give you a temporary password. It works until ${utcText(expiresAt)}.`,
      `Choose 'Sign in with email', enter ${person.email} and the temporary password, then choose your own.`,
      tx.config.publicUrl === undefined ? null : `${tx.config.publicUrl}/admin`,
    ],
  })
}
