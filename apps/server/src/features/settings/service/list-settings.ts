import type { Setting, SettingValue } from '@agency/contract/settings'
import type { Config } from '../../../config.ts'
import type { RequestContext } from '../../../context.ts'
import type { SettingDefinition } from '../definition.ts'
import { composeConfig } from '../effective.ts'
import { decidingVariable, registry } from '../registry.ts'
import { readState, type SettingsState } from '../state.ts'

/** Read from the database rather than from what is in force, which follows a moment later in other processes. */
export async function listSettings(ctx: RequestContext) {
  const { environment } = ctx
  const state = await readState(ctx)
  return {
    settings: registry.map((definition) => describe(definition, environment, state)),
    public_url_known: composeConfig(environment, state.values).publicUrl !== undefined,
  }
}

function describe(definition: SettingDefinition, environment: Config, state: SettingsState): Setting {
  const { key, group, label, hint, kind, choices, min, max, unit, defaultValue } = definition
  const version = state.versions.get(key)
  const { value, problem, ...from } = findValue(definition, environment, state)
  return {
    ...{ key, group, label, hint, kind, choices, min, max, unit, ...from },
    value: kind === 'secret' ? null : (value ?? defaultValue),
    is_set: value !== undefined,
    default_value: defaultValue,
    version: version?.version ?? 0,
    updated_at: version?.at.toISOString() ?? null,
    updated_by: version?.actor_name ?? null,
    ...(problem !== undefined && { problem }),
  }
}

type Found = Pick<Setting, 'source' | 'env' | 'problem'> & { value: SettingValue | undefined }

function findValue(definition: SettingDefinition, environment: Config, state: SettingsState): Found {
  const { key, env, rule } = definition
  const variable = decidingVariable(environment, definition)
  if (variable !== null) return { source: 'environment', env: variable, value: definition.read(environment) }
  if (state.unreadable.has(key))
    return {
      source: 'database',
      env,
      value: undefined,
      problem: 'was encrypted with another SECRETS_KEY: set it again',
    }
  const value = state.values.get(key)
  if (value === undefined) return { source: 'default', env, value }
  const parsed = rule.safeParse(value)
  if (parsed.success) return { source: 'database', env, value: parsed.data }
  return { source: 'database', env, value: undefined, problem: parsed.error.issues[0]?.message ?? 'is not valid' }
}
