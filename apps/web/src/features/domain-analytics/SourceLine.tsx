import type { ZoneAnalytics } from '@agency/contract/types'
import { Age } from '../../ui/Age.tsx'

const sources: Record<ZoneAnalytics['source'], string> = {
  cloudflare: 'measured by Cloudflare',
  kept: 'kept by this console',
  cloudflare_and_kept: 'measured by Cloudflare, earlier days kept by this console',
  none: 'no figures',
}

/** Where the figures come from and how old they are. */
export function SourceLine({ answer }: { answer: ZoneAnalytics }) {
  const { plan, source, sampled, step, fetched_at, is_stale } = answer
  const words = [plan || null, sources[source], sampled ? 'sampled' : null, step === 'day' ? 'days in UTC' : null]
  return (
    <>
      {words.filter((word) => word !== null).join(' · ')}{' '}
      {fetched_at === null ? null : <Age at={fetched_at} failed={is_stale} />}
    </>
  )
}
