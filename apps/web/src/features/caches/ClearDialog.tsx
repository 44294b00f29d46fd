import * as caches from '@agency/contract/descriptors/caches'
import type { CacheCleared, CacheState } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { q, type ResponseOf } from '../../lib/api.ts'
import { useCall } from '../../lib/use-call.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { unreadPreview } from '../../ui/unread-preview.ts'
import { keysText, rebuildTexts, silentText } from './cache-words.ts'
import css from './caches.module.css'
import { cacheReads } from './caches-list.ts'

type Found = ResponseOf<typeof caches.findCacheKeys>
export type Chosen = { name?: CacheState['name']; pattern?: string }
type Props = { chosen: Chosen; onCleared: (cleared: CacheCleared) => void; onClose: () => void }

function consequencesOf({ pattern }: Chosen, found: Found): string[] {
  const what = pattern === undefined ? `All ${keysText(found.keys)}` : `${keysText(found.keys)} like ${pattern}`
  return [
    `${what}, in every process.`,
    ...rebuildTexts(found.caches),
    ...(found.silent.length > 0 ? [silentText(found.silent)] : []),
  ]
}

/** Clears after a count of what is there now, with some of it to look at. */
export function ClearDialog({ chosen, onCleared, onClose }: Props) {
  const found = useQuery({ ...q(caches.findCacheKeys, { query: chosen }), staleTime: 0, gcTime: 0 })
  const clear = useCall(caches.clearCaches, cacheReads, { isOneIntent: true })
  const keys = found.data?.keys ?? 0
  const samples = found.data?.samples ?? []
  return (
    <ConfirmDialog
      title={chosen.pattern === undefined ? 'Clear all cache' : 'Clear by pattern'}
      consequences={found.data ? consequencesOf(chosen, found.data) : []}
      awaited={found.isLoading ? 1 : 0}
      confirmLabel={found.data ? `Clear ${keysText(keys)}` : 'Clear'}
      destructive
      pending={clear.isPending}
      blockedReason={found.data ? (keys > 0 ? undefined : 'No key matches') : unreadPreview(found.error)}
      error={clear.error}
      onConfirm={() =>
        clear.mutate(
          { body: chosen },
          {
            onSuccess: (cleared) => {
              onCleared(cleared)
              onClose()
            },
          },
        )
      }
      onClose={onClose}
    >
      {found.error && !found.data ? (
        <ListFailure error={found.error} what="the count" at={null} onRetry={() => void found.refetch()} />
      ) : samples.length > 0 ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by the keyboard
        <ul className={css['samples']} aria-label={`${samples.length} of the keys`} tabIndex={0}>
          {samples.map((sample) => (
            <li key={sample}>
              <bdi>{sample}</bdi>
            </li>
          ))}
        </ul>
      ) : undefined}
    </ConfirmDialog>
  )
}
