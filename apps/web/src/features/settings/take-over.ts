import * as mirror from '@agency/contract/descriptors/mirror'
import * as settings from '@agency/contract/descriptors/settings'
import type { Setting } from '@agency/contract/types'
import type { QueryClient } from '@tanstack/react-query'
import type { ResponseOf } from '../../lib/api.ts'
import { checkSession } from '../../lib/session.ts'
import { settingsList } from './settings-search.ts'

/** Shows what was saved, and reads again what follows from it. */
export function takeOver(
  client: QueryClient,
  answer: ResponseOf<typeof settings.changeSettings>,
  changed: readonly Setting[],
): void {
  client.setQueryData(settingsList.queryKey, answer)
  void client.invalidateQueries({ queryKey: [settings.getSettingHistory.path] })
  if (!changed.some(({ group }) => group === 'stripe' || group === 'cloudflare')) return
  // Another account is imported from the start, and the top bar says which mode it is in.
  void client.invalidateQueries({ queryKey: [mirror.getMirror.path] })
  void checkSession()
}
