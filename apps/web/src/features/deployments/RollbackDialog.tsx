import * as deployments from '@agency/contract/descriptors/deployments'
import type { Deployment, RollbackPreview } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q, type ResponseOf } from '../../lib/api.ts'
import { formatSpan } from '../../lib/format-time.ts'
import { useCall } from '../../lib/use-call.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { SectionError } from '../../ui/SectionError.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { unreadPreview } from '../../ui/unread-preview.ts'
import { buildOf } from './deployment-words.ts'
import css from './deployments.module.css'
import { deploymentReads } from './deployments-list.ts'

type Props = { deployment: Deployment; onStarted: (id: string) => void; onClose: () => void }

/** Back to an earlier build: first what differs, then the act; its details show the proof of what is served. */
export function RollbackDialog({ deployment, onStarted, onClose }: Props) {
  const { id: to, site_id: id } = deployment
  const { data, error, refetch } = useQuery({
    ...q(deployments.previewRollback, { params: { id }, query: { to } }),
    staleTime: 0,
  })
  const [restores, setRestores] = useState(false)
  const toast = useToast()
  const act = useCall(deployments.rollbackSite, deploymentReads)
  const handleDone = ({ deployment: begun }: ResponseOf<typeof deployments.rollbackSite>) => {
    toast.success(`Rolling back to ${buildOf(deployment)}`)
    onStarted(begun.id)
  }
  const preview = data?.preview
  return (
    <ConfirmDialog
      title={`Roll back ${deployment.site_name}`}
      confirmLabel={`Roll back to ${buildOf(deployment)}`}
      destructive
      pending={act.isPending}
      blockedReason={preview ? (preview.blocked ?? undefined) : unreadPreview(error)}
      error={act.error}
      onConfirm={() =>
        act.mutate({ params: { id }, body: { to, restore_environment: restores } }, { onSuccess: handleDone })
      }
      onClose={onClose}
    >
      {preview ? (
        <>
          <Difference preview={preview} />
          {preview.environment.can_restore ? (
            <label className={css['check']}>
              <input type="checkbox" checked={restores} onChange={(event) => setRestores(event.target.checked)} />
              <span>Also restore the environment variables, for later builds too</span>
            </label>
          ) : null}
        </>
      ) : error ? (
        <SectionError error={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonLines count={5} height={24} />
      )}
    </ConfirmDialog>
  )
}

function Difference({ preview }: { preview: RollbackPreview }) {
  const { from, to, age_seconds, environment } = preview
  return (
    <div>
      <dl className={css['names']}>
        <Pair label="Live now" value={from ? `${buildOf(from)}${messageOf(from)}` : 'Unknown'} />
        <Pair label="Roll back to" value={`${buildOf(to)}${messageOf(to)}`} />
        <Pair label="Built" value={`${formatSpan(age_seconds)} ago`} />
        <Names label="Variables added" names={environment.added} />
        <Names label="Variables removed" names={environment.removed} />
        <Names label="Variables changed" names={environment.changed} />
      </dl>
      <Sentences title="Restored" lines={preview.restores} />
      <Sentences title="Unchanged" lines={preview.keeps} />
    </div>
  )
}

const messageOf = ({ commit_message }: Deployment): string => (commit_message ? `: ${commit_message}` : '')

function Pair({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <bdi>{value}</bdi>
      </dd>
    </div>
  )
}

function Names({ label, names }: { label: string; names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <code className={css['code']}>{names.join(', ')}</code>
      </dd>
    </div>
  )
}

function Sentences({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <>
      <h3 className={css['heading']}>{title}</h3>
      <ul className={css['lines']}>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  )
}
