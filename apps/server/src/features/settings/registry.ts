import type { Config } from '../../config.ts'
import { connectionSettings } from './connection-settings.ts'
import type { SettingDefinition } from './definition.ts'
import { ownSettings } from './own-settings.ts'

/** Every setting, in the order in which it is shown. */
export const registry: readonly SettingDefinition[] = [...ownSettings, ...connectionSettings]

const byKey = new Map(registry.map((definition) => [definition.key, definition]))

export const findDefinition = (key: string): SettingDefinition | undefined => byKey.get(key)

const readFrom = (environment: Config, key: string) => findDefinition(key)?.read(environment)

/**
 * The variable that decides, if one does. Where a secret comes from the environment, so does the address that it is
 * sent to: else whoever may change settings could have it sent to a server of their own.
 */
export function decidingVariable(environment: Config, { key, env, sends }: SettingDefinition): string | null {
  if (env === null) return null
  if (readFrom(environment, key) !== undefined) return env
  if (sends === null || readFrom(environment, sends) === undefined) return null
  return findDefinition(sends)?.env ?? null
}
