import { useMemo, useState } from 'react'
import { formatCount } from '../../../lib/format.ts'
import { load, save } from '../../../lib/storage.ts'
import { ErrorPanel } from '../../../ui/ErrorPanel.tsx'
import css from './import.module.css'
import { oldSites } from './old-sites.ts'

type Props = {
  /** Why the actor may not import them, or undefined. */
  denial: string | undefined
  /** The rows are there: they do not wait for what lies in the browser. */
  ready: boolean
  onImport: () => void
}

/** Asks once per browser whether what an older console left here shall be taken over. */
export function OldSitesBanner({ denial, ready, onImport }: Props) {
  const isDone = load('oldSites') !== undefined
  const [declined, setDeclined] = useState(false)
  const isAsking = ready && !denial && !isDone && !declined
  const count = useMemo(() => (isAsking ? oldSites().length : 0), [isAsking])
  if (!isAsking || count === 0) return null
  return (
    <div className={css['banner']}>
      <ErrorPanel
        tone="info"
        onRetry={onImport}
        retryLabel="Review"
        onClose={() => {
          save('oldSites', 'declined')
          setDeclined(true)
        }}
      >
        {count === 1
          ? 'Found 1 site from an older console in this browser.'
          : `Found ${formatCount(count)} sites from an older console in this browser.`}{' '}
        Review before importing.
      </ErrorPanel>
    </div>
  )
}
