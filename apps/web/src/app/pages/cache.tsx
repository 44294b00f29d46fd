import { CachePage } from '../../features/caches/CachePage.tsx'
import { cachesList } from '../../features/caches/caches-list.ts'
import { PurgeSection } from '../../features/domains/PurgeSection.tsx'
import type { PageModule } from '../page.tsx'

/** Cloudflare's cache is purged in the same place as those of the console. */
function CachesAndPurge() {
  return <CachePage purge={<PurgeSection />} />
}

export const cachePage: PageModule = { Page: CachesAndPurge, queriesFor: cachesList.queriesFor }
