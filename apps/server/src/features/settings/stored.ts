import type { SettingValue } from '@agency/contract/settings'
import type { AppContext } from '../../context.ts'
import { openSecretBox, type SecretBox } from '../../platform/secrets.ts'
import type { StoredValues } from './effective.ts'
import { findStored, type Stored } from './queries/settings.ts'

export type Opened = {
  values: StoredValues
  /** Secrets that were sealed with another key. */
  unreadable: ReadonlySet<string>
}

export function openStored(rows: readonly Stored[], box: Pick<SecretBox, 'open'>): Opened {
  const values = new Map<string, SettingValue>()
  const unreadable = new Set<string>()
  for (const { key, value, sealed } of rows) {
    const content = sealed === null ? value : box.open(sealed)
    if (content === null) unreadable.add(key)
    else values.set(key, content)
  }
  return { values, unreadable }
}

/** What was set, before there is a whole application. */
export async function readStored({ db, config }: Pick<AppContext, 'db' | 'config'>): Promise<Opened> {
  const rows = await findStored({ db })
  // Where no secret is set there need be no key, and looking makes none.
  const hasSecrets = rows.some(({ sealed }) => sealed !== null)
  return openStored(rows, hasSecrets ? await openSecretBox(config) : { open: () => null })
}
