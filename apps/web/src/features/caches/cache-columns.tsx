import type { CacheState } from '@agency/contract/types'
import { formatBytes, formatCount, formatDuration, formatPercent } from '../../lib/format.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { Person } from '../../ui/Person.tsx'
import { cacheLabels, cacheTexts, placeOf } from './cache-words.ts'
import css from './caches.module.css'

const figure = (text: string) => <span className={css['figure']}>{text}</span>

export const cacheName = (cache: CacheState): string => `${cacheLabels[cache.name]} (${placeOf(cache)})`

const rateOf = ({ hits, misses }: CacheState): string =>
  hits + misses === 0 ? '—' : formatPercent((100 * hits) / (hits + misses))

export const cacheColumns: readonly Column<CacheState>[] = [
  {
    ...{ id: 'cache', header: 'Cache', share: '50%' },
    cell: ({ name }) => <Person name={cacheLabels[name]} detail={cacheTexts[name]} />,
    text: cacheName,
  },
  { ...{ id: 'place', header: 'Process', share: '50%', onCard: true }, cell: (cache) => <bdi>{placeOf(cache)}</bdi> },
  { ...{ id: 'keys', header: 'Keys', align: 'right', onCard: true }, cell: ({ keys }) => figure(formatCount(keys)) },
  { ...{ id: 'bytes', header: 'Size', align: 'right' }, cell: ({ bytes }) => figure(formatBytes(bytes)) },
  { ...{ id: 'hits', header: 'Hits, 24 h', align: 'right' }, cell: ({ hits }) => figure(formatCount(hits)) },
  { ...{ id: 'misses', header: 'Misses, 24 h', align: 'right' }, cell: ({ misses }) => figure(formatCount(misses)) },
  { ...{ id: 'rate', header: 'Hit rate', align: 'right', onCard: true }, cell: (cache) => figure(rateOf(cache)) },
  {
    ...{ id: 'evictions', header: 'Evictions, 24 h', align: 'right' },
    cell: ({ evictions }) => figure(formatCount(evictions)),
  },
  {
    ...{ id: 'evicted', header: 'Last eviction', align: 'right' },
    cell: ({ last_eviction: at }) => <DateTime at={at} show="relative" none="—" />,
  },
  {
    ...{ id: 'cost', header: 'Rebuild', align: 'right' },
    title: () => 'To read one key that is not there, on average',
    cell: ({ load_ms: ms }) => figure(ms === null ? '—' : formatDuration(ms)),
  },
]
