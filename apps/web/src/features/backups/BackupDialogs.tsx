import * as backups from '@agency/contract/descriptors/backups'
import type { Backup, BackupPlan, Restore } from '@agency/contract/types'
import type { ReactNode } from 'react'
import { type Problems, useEditForm } from '../../lib/form/use-edit-form.ts'
import { formatDateTime } from '../../lib/format-time.ts'
import { useIdentityProof } from '../../lib/identity-proof.ts'
import { useCall } from '../../lib/use-call.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { IdentityInput } from '../../ui/form/IdentityInput.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { KitDialog } from './KitDialog.tsx'
import { MomentDialog } from './MomentDialog.tsx'
import { PlanDialog } from './PlanDialog.tsx'

export type Act =
  | { kind: 'restore' | 'delete' | 'moment'; backup: Backup }
  | { kind: 'return'; restore: Restore }
  | { kind: 'plan'; plan: BackupPlan }
  | { kind: 'kit'; isPrinted: boolean }

const stale = [backups.listBackups, backups.listRestores]

export function BackupDialogs({ act, onClose }: { act: Act; onClose: () => void }) {
  switch (act.kind) {
    case 'restore':
      return <RestoreDialog backup={act.backup} onClose={onClose} />
    case 'delete':
      return <DeleteDialog backup={act.backup} onClose={onClose} />
    case 'moment':
      return <MomentDialog backup={act.backup} onClose={onClose} />
    case 'return':
      return <ReturnDialog restore={act.restore} onClose={onClose} />
    case 'plan':
      return <PlanDialog plan={act.plan} onClose={onClose} />
    case 'kit':
      return <KitDialog isPrinted={act.isPrinted} onClose={onClose} />
  }
}

type ProofFields = { proof: string }
const problemsOf = ({ proof }: ProofFields): Problems<ProofFields> => ({
  proof: proof.trim() === '' ? 'Confirm that it is you' : undefined,
})

const afterwards: readonly ReactNode[] = [
  'The console is read-only during the restore, and everyone is signed out.',
  'The audit log, users, keys and passwords stay as they are now. Newer payments, domains and deployments are read again from Stripe and Cloudflare.',
]

function RestoreDialog({ backup, onClose }: { backup: Backup; onClose: () => void }) {
  const { id, name, created_at, snapshot_at } = backup
  const restore = useCall(backups.restoreBackup, stale, { isOneIntent: false })
  const proof = useIdentityProof()
  const toast = useToast()
  const form = useEditForm<ProofFields>({
    values: { proof: '' },
    problemsOf,
    call: restore,
    fields: { identity_proof: 'proof' },
  })
  const handleConfirm = () =>
    form.submit((values) =>
      restore.mutate(
        { params: { id }, body: { confirmation: name, identity_proof: values.proof } },
        {
          onSuccess: () => {
            toast.success(`Restoring ${name}`)
            onClose()
          },
        },
      ),
    )
  return (
    <ConfirmDialog
      title="Restore Backup"
      consequences={[
        <strong key="lost">Current data may be lost.</strong>,
        <bdi key="data">{`All data goes back to ${formatDateTime(snapshot_at ?? created_at)} (${name}).`}</bdi>,
        'The current data is backed up first and kept for 7 days, so you can undo the restore with one click.',
        ...afterwards,
      ]}
      typedName={name}
      confirmLabel="Restore backup"
      destructive
      pending={restore.isPending}
      error={form.refusal}
      onConfirm={handleConfirm}
      onClose={onClose}
    >
      <IdentityInput form={form} name="proof" proof={proof} />
    </ConfirmDialog>
  )
}

function ReturnDialog({ restore, onClose }: { restore: Restore; onClose: () => void }) {
  const back = useCall(backups.returnRestore, stale)
  const proof = useIdentityProof()
  const toast = useToast()
  const form = useEditForm<ProofFields>({
    values: { proof: '' },
    problemsOf,
    call: back,
    fields: { identity_proof: 'proof' },
  })
  const handleConfirm = () =>
    form.submit((values) =>
      back.mutate(
        { params: { id: restore.id }, body: { identity_proof: values.proof } },
        {
          onSuccess: () => {
            toast.success('Undoing the restore')
            onClose()
          },
        },
      ),
    )
  return (
    <ConfirmDialog
      title="Undo restore"
      consequences={[
        `All data goes back to ${restore.switched_at === null ? 'before the restore' : formatDateTime(restore.switched_at)}. Changes made since may be lost.`,
        'The current data is kept for 7 days, so you can undo this too.',
        ...afterwards,
      ]}
      confirmLabel="Undo restore"
      destructive
      pending={back.isPending}
      error={form.refusal}
      onConfirm={handleConfirm}
      onClose={onClose}
    >
      <IdentityInput form={form} name="proof" proof={proof} />
    </ConfirmDialog>
  )
}

function DeleteDialog({ backup: { id, name, created_at }, onClose }: { backup: Backup; onClose: () => void }) {
  const remove = useCall(backups.deleteBackup, stale)
  const toast = useToast()
  const handleConfirm = () =>
    remove.mutate(
      { params: { id } },
      {
        onSuccess: () => {
          toast.success(`Deleted ${name}`)
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      title="Delete backup"
      consequences={[
        <bdi key="name">{`Deletes ${name} (${formatDateTime(created_at)}) and its file.`}</bdi>,
        'A deleted backup cannot be restored.',
      ]}
      confirmLabel="Delete backup"
      destructive
      pending={remove.isPending}
      error={remove.error}
      onConfirm={handleConfirm}
      onClose={onClose}
    />
  )
}
