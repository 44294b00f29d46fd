import type { SettingValue } from '@agency/contract/settings'
import { type Config, decideMode } from '../../config.ts'
import { decidingVariable, registry } from './registry.ts'

/** What was set in the console, by its key; secrets in the clear. */
export type StoredValues = ReadonlyMap<string, SettingValue>

/**
 * The environment where it says something, then what was set, then the default. What was set and is not good any more,
 * such as by a rule that came later, counts as not set.
 */
export function composeConfig(environment: Config, stored: StoredValues): Config {
  const config = structuredClone(environment)
  for (const definition of registry) {
    const value = stored.get(definition.key)
    if (value === undefined || decidingVariable(environment, definition) !== null) continue
    const parsed = definition.rule.safeParse(value)
    if (parsed.success) definition.put(config, parsed.data)
  }
  config.mode = decideMode(config.stripe.secretKey, config.cloudflare.apiToken)
  return config
}

/** What is in force. Without a sender there is no mail server: nobody takes a mail from nobody. */
export function effectiveConfig(environment: Config, stored: StoredValues): Config {
  const config = composeConfig(environment, stored)
  return config.mailFrom === undefined ? { ...config, smtpUrl: undefined } : config
}
