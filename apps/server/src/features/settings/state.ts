import type { SettingValue } from '@agency/contract/settings'
import type { RequestContext } from '../../context.ts'
import { createSecretBox } from '../../platform/secrets.ts'
import { findNewestVersions, findStored, type Version } from './queries/settings.ts'
import { type Opened, openStored } from './stored.ts'

/** Everything that is set, and the newest version of each setting. */
export type SettingsState = Opened & { versions: ReadonlyMap<string, Version> }

export async function readState(ctx: Pick<RequestContext, 'db' | 'instance'>): Promise<SettingsState> {
  const stored = await findStored(ctx)
  const newest = await findNewestVersions(ctx)
  return {
    ...openStored(stored, await ctx.instance(createSecretBox)),
    versions: new Map(newest.map((version) => [version.key, version])),
  }
}

export const versionOf = ({ versions }: SettingsState, key: string): number => versions.get(key)?.version ?? 0

/** Changes by key; null takes a setting back to its default. */
export type Changes = ReadonlyMap<string, SettingValue>

export function withChanges(values: Opened['values'], changes: Changes): Opened['values'] {
  const next = new Map(values)
  for (const [key, value] of changes) {
    if (value === null) next.delete(key)
    else next.set(key, value)
  }
  return next
}
