import * as push from '@agency/contract/descriptors/push'
import type { PushSubscription } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { q } from '../../lib/api.ts'
import {
  isPushBlocked,
  isPushSupported,
  ownEndpointHash,
  subscribeBrowser,
  unsubscribeBrowser,
} from '../../lib/push.ts'
import { useDenial } from '../../lib/session.ts'
import { useCall } from '../../lib/use-call.ts'
import { Age } from '../../ui/Age.tsx'
import { Button } from '../../ui/Button.tsx'
import { DetailsDialog } from '../../ui/DetailsDialog.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SectionError } from '../../ui/SectionError.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { useToast } from '../../ui/Toast.tsx'
import css from './push.module.css'

const reads = [push.getPush]

/** In which browsers one gets notifications. */
export function PushDialog({ onClose }: { onClose: () => void }) {
  const denial = useDenial(push.getPush)
  const { data, error, refetch } = useQuery({ ...q(push.getPush, {}), enabled: denial === undefined })
  const own = useOwnHash(data?.subscriptions)
  return (
    <DetailsDialog title="Browser notifications" onClose={onClose}>
      <p className={css['intro']}>
        Alerts of the channel “Browser push” appear on this device, even when the console is closed.
      </p>
      {denial ? (
        <EmptyState compact text={denial} />
      ) : data ? (
        <>
          <TurnOn
            publicKey={data.public_key}
            isOn={data.subscriptions.some(({ endpoint_hash }) => endpoint_hash === own)}
          />
          <Browsers rows={data.subscriptions} own={own} />
        </>
      ) : error ? (
        <SectionError error={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonLines count={3} />
      )}
    </DetailsDialog>
  )
}

function useOwnHash(rows: readonly PushSubscription[] | undefined): string | null {
  const [own, setOwn] = useState<string | null>(null)
  // What the browser has is asked for again whenever the list changes.
  useEffect(() => {
    if (!isPushSupported() || !rows) return
    let isOver = false
    ownEndpointHash().then(
      (hash) => {
        if (!isOver) setOwn(hash)
      },
      () => {},
    )
    return () => {
      isOver = true
    }
  }, [rows])
  return own
}

function whyNot(): string | undefined {
  if (!isPushSupported())
    return 'Not available in this browser. Notifications need https and, on an iPhone, the installed app.'
  return isPushBlocked() ? 'Notifications are blocked for this site in the browser’s settings.' : undefined
}

function TurnOn({ publicKey, isOn }: { publicKey: string; isOn: boolean }) {
  const subscribe = useCall(push.subscribePush, reads)
  const toast = useToast()
  const [isAsking, setAsking] = useState(false)
  const id = useId()
  const reason = subscribe.denial ?? whyNot()
  if (isOn) return <p className={css['on']}>On in this browser</p>
  const handleClick = async () => {
    setAsking(true)
    try {
      const subscription = await subscribeBrowser(publicKey)
      if (subscription)
        subscribe.mutate(
          { body: subscription },
          { success: 'Notifications are on in this browser', failure: 'Notifications were not turned on' },
        )
      else toast.error('The browser blocked notifications')
    } catch (failure) {
      toast.error(`The browser’s push service refused: ${failure instanceof Error ? failure.message : ''}`)
    } finally {
      setAsking(false)
    }
  }
  return (
    <div className={css['turnOn']}>
      <Button
        variant="contained"
        disabled={reason !== undefined || isAsking || subscribe.isPending}
        aria-describedby={reason === undefined ? undefined : id}
        onClick={() => void handleClick()}
      >
        Turn on in this browser
      </Button>
      {reason === undefined ? null : (
        <p id={id} className={css['reason']}>
          {reason}
        </p>
      )}
    </div>
  )
}

function Browsers({ rows, own }: { rows: readonly PushSubscription[]; own: string | null }) {
  if (rows.length === 0) return <EmptyState compact text="Notifications are off in all your browsers." />
  return (
    <ul className={css['list']} aria-label="Your browsers">
      {rows.map((row) => (
        <Browser key={row.id} row={row} isOwn={row.endpoint_hash === own} />
      ))}
    </ul>
  )
}

function Browser({ row, isOwn }: { row: PushSubscription; isOwn: boolean }) {
  const { id, browser, last_sent_at, last_error } = row
  const test = useCall(push.testPush, reads)
  const remove = useCall(push.unsubscribePush, reads)
  const handleTest = () =>
    test.mutate(
      { params: { id } },
      {
        failure: `Test not sent: ${browser}`,
        success: (toast, { state, error }) => {
          if (state === 'sent') toast.success(`Test sent: ${browser}`)
          else if (state === 'gone') toast.error(`${browser} has unsubscribed and was removed`)
          else toast.error(`Test not sent: ${browser}. ${error ?? ''}`.trim())
        },
      },
    )
  const handleRemove = () =>
    remove.mutate(
      { params: { id } },
      {
        success: `Notifications are off: ${browser}`,
        failure: `Not turned off: ${browser}`,
        onSuccess: () => {
          if (isOwn) unsubscribeBrowser().catch(() => {})
        },
      },
    )
  return (
    <li className={css['browser']}>
      <span className={css['words']}>
        <bdi>{browser}</bdi>
        {isOwn ? ' (this browser)' : ''}
        <span className={css['muted']}>
          {last_error ?? (last_sent_at === null ? 'Nothing sent yet' : <Age at={last_sent_at} />)}
        </span>
      </span>
      <Button size="small" disabled={test.isPending} aria-label={`Send test to ${browser}`} onClick={handleTest}>
        Send test
      </Button>
      <Button size="small" disabled={remove.isPending} aria-label={`Turn off ${browser}`} onClick={handleRemove}>
        Turn off
      </Button>
    </li>
  )
}
