import * as backups from '@agency/contract/descriptors/backups'
import { type Problems, useEditForm } from '../../lib/form/use-edit-form.ts'
import { useIdentityProof } from '../../lib/identity-proof.ts'
import { useCall } from '../../lib/use-call.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { IdentityInput } from '../../ui/form/IdentityInput.tsx'
import { RecoveryKit } from './RecoveryKit.tsx'

type ProofFields = { proof: string }
const problemsOf = ({ proof }: ProofFields): Problems<ProofFields> => ({
  proof: proof.trim() === '' ? 'Confirm that it is you' : undefined,
})

/** One page, shown once: what a machine that has nothing needs to restore a backup. */
export function KitDialog({ isPrinted, onClose }: { isPrinted: boolean; onClose: () => void }) {
  const print = useCall(backups.printRecoveryKit, [backups.getBackupPlan])
  const proof = useIdentityProof()
  const form = useEditForm<ProofFields>({
    values: { proof: '' },
    problemsOf,
    call: print,
    fields: { identity_proof: 'proof' },
  })
  if (print.data) return <RecoveryKit {...print.data} onClose={onClose} />
  const handleConfirm = () =>
    form.submit((values) => print.mutate({ body: { renew: isPrinted, identity_proof: values.proof } }))
  return (
    <ConfirmDialog
      title={isPrinted ? 'New backup key and recovery kit' : 'Print recovery kit'}
      consequences={[
        'One page with the two keys that open every backup. The page is shown once: print it and store it away from this server.',
        'Anyone with the page and a backup file can read all its data.',
        ...(isPrinted
          ? ['New backups are encrypted with a new key. Older backups need the kit that you already have.']
          : []),
      ]}
      confirmLabel={isPrinted ? 'Create new key' : 'Show recovery kit'}
      pending={print.isPending}
      error={form.refusal}
      onConfirm={handleConfirm}
      onClose={onClose}
    >
      <IdentityInput form={form} name="proof" proof={proof} />
    </ConfirmDialog>
  )
}
