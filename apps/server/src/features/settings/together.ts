import type { SettingGroup } from '@agency/contract/settings'
import { type Config, mailFromExample } from '../../config.ts'
import { isAddressSafe } from '../../integrations/stripe/client.ts'
import { invalidParameter } from '../../platform/errors.ts'
import { findDefinition, registry } from './registry.ts'

/**
 * What no rule of a single setting can say. Throws what names the setting to change. Only of what is changed: an
 * environment that was changed meanwhile must not lock everything else.
 */
export function refuseUnfitTogether(config: Config, changed: ReadonlySet<string>): void {
  const isChanged = (group: SettingGroup) => [...changed].some((key) => findDefinition(key)?.group === group)
  if (isChanged('mail') && config.smtpUrl !== undefined && config.mailFrom === undefined)
    throw invalidParameter('mail.from', `must be set when mail.smtp_url is, ${mailFromExample}`)
  const { secretKey, apiBase } = config.stripe
  if (isChanged('stripe') && secretKey !== undefined && !isAddressSafe({ secretKey, apiBase }))
    throw invalidParameter('stripe.api_base', 'must start with https:// when stripe.secret_key is a live key')
}

/** `given`: what the caller says; `unreadable`: what the right SECRETS_KEY would bring back. */
type KnownSecrets = { given: ReadonlySet<string>; unreadable: ReadonlySet<string> }

/**
 * A secret can be written and never read. So an address that it would be sent to may only be changed by whoever gives
 * the secret again.
 */
export function refuseMovedSecrets(before: Config, after: Config, known: KnownSecrets): void {
  for (const address of registry) {
    const secret = registry.find(({ key }) => key === address.sends)
    if (!secret || known.given.has(secret.key)) continue
    if (secret.read(after) === undefined && !known.unreadable.has(secret.key)) continue
    const to = address.read(after)
    if (to === undefined || to === address.read(before)) continue
    throw invalidParameter(secret.key, `must be given again when ${address.key} changes, because it is sent there`)
  }
}
