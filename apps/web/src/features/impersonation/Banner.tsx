import * as impersonation from '@agency/contract/descriptors/impersonation'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { q } from '../../lib/api.ts'
import { formatCountdown } from '../../lib/format.ts'
import { customerNameOf } from '../../lib/names.ts'
import { paths } from '../../lib/paths.ts'
import { useDenial } from '../../lib/session.ts'
import { load, remove, save } from '../../lib/storage.ts'
import { useCall } from '../../lib/use-call.ts'
import { Button } from '../../ui/Button.tsx'
import css from './Banner.module.css'

const pollMs = 30_000

/** Above every screen, for as long as this session views a customer. It has no way to be closed but the end of the view. */
export function ImpersonationBanner({ ready }: { ready: boolean }) {
  const denied = useDenial(impersonation.endImpersonation) !== undefined
  return (ready || isExpected()) && !denied ? <Banner /> : null
}

function Banner() {
  const current = useQuery({
    ...q(impersonation.getCurrentImpersonation, {}),
    refetchInterval: (query) => (query.state.data?.impersonation ? pollMs : false),
  })
  const view = current.data?.impersonation
  const left = useCountdown(
    view ? current.dataUpdatedAt + (current.data?.remaining_s ?? 0) * 1000 : undefined,
    () => void current.refetch(),
  )
  useEffect(() => {
    if (current.data?.remaining_s) save('viewUntil', current.dataUpdatedAt + current.data.remaining_s * 1000)
    else if (current.data) remove('viewUntil')
  }, [current.data, current.dataUpdatedAt])
  const end = useCall(impersonation.endImpersonation, [
    impersonation.getCurrentImpersonation,
    impersonation.getImpersonation,
    impersonation.listImpersonations,
  ])
  if (!view || left === 0) return null
  const name = customerNameOf(view)
  const handleEnd = () =>
    end.mutate(
      { params: { id: view.id } },
      {
        success: 'View ended',
        failure: 'The view could not be ended. It ends automatically after 30 minutes.',
      },
    )
  return (
    <aside className={css['banner']} aria-label="Impersonation" data-impersonating="">
      <p className={css['words']} title={name}>
        <span className={css['long']}>Read-only view of the account of </span>
        <strong>
          <bdi>{name}</bdi>
        </strong>
      </p>
      <span className={css['time']} role="timer" title="Time left in this view">
        {formatCountdown(left)}
      </span>
      <Button size="small" color="inherit" href={paths.impersonationView(view.id)}>
        Open
      </Button>
      <Button size="small" variant="outlined" color="inherit" loading={end.isPending} onClick={handleEnd}>
        End
      </Button>
    </aside>
  )
}

/** Whether this browser was in a view a moment ago: then nothing on the screen goes before the banner. */
const isExpected = (): boolean => (load('viewUntil') ?? 0) > Date.now()

/** Whole seconds until that moment of this machine's clock; calls back when it has come. */
function useCountdown(endsAt: number | undefined, onEnd: () => void): number {
  const [now, setNow] = useState(() => Date.now())
  const isOver = endsAt !== undefined && now >= endsAt
  useEffect(() => {
    if (endsAt === undefined) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [endsAt])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each end, whoever asks for it
  useEffect(() => {
    if (isOver) onEnd()
  }, [isOver])
  return endsAt === undefined ? 0 : Math.max(0, Math.ceil((endsAt - now) / 1000))
}
