import * as customers from '@agency/contract/descriptors/customers'
import * as timeline from '@agency/contract/descriptors/timeline'
import type { CustomerNote } from '@agency/contract/types'
import { useState } from 'react'
import { useCall } from '../../lib/use-call.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { NoteEditor } from './NoteEditor.tsx'
import css from './notes.module.css'

type Props = { customerId: string; note: CustomerNote }

export const noteReads = [customers.listCustomerNotes, timeline.listTimeline]

export function NoteItem({ customerId, note }: Props) {
  const [act, setAct] = useState<'edit' | 'delete'>()
  const update = useCall(customers.updateCustomerNote, noteReads)
  const params = { id: customerId, note: note.id }
  if (act === 'edit') {
    return (
      <li className={css['note']}>
        <NoteEditor
          label="Edit note"
          submitLabel="Save"
          initial={note.text}
          pending={update.isPending}
          error={update.error}
          onSave={(text) => update.mutate({ params, body: { text } }, { onSuccess: () => setAct(undefined) })}
          onCancel={() => setAct(undefined)}
        />
      </li>
    )
  }
  return (
    <li className={css['note']}>
      <div className={css['head']}>
        <bdi className={css['author']}>{note.author_name}</bdi>
        <DateTime at={note.created_at} show="date-time" />
        {note.edited_at ? (
          <span>
            edited {note.edited_by ? <>by {note.edited_by} </> : null}
            <DateTime at={note.edited_at} show="date-time" />
          </span>
        ) : null}
        {note.can_change ? (
          <span className={css['acts']}>
            <Button size="small" onClick={() => setAct('edit')}>
              Edit
            </Button>
            <Button size="small" color="error" onClick={() => setAct('delete')}>
              Delete
            </Button>
          </span>
        ) : null}
      </div>
      <p className={css['text']} dir="auto">
        {note.text}
      </p>
      {act === 'delete' ? <DeleteNote params={params} onClose={() => setAct(undefined)} /> : null}
    </li>
  )
}

function DeleteNote({ params, onClose }: { params: { id: string; note: string }; onClose: () => void }) {
  const remove = useCall(customers.deleteCustomerNote, noteReads)
  const toast = useToast()
  const handleConfirm = () =>
    remove.mutate(
      { params },
      {
        onSuccess: () => {
          toast.success('Note deleted')
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      title="Delete note"
      consequences={['Removes the note from Notes and Activity Log. The text stays in the audit log.']}
      confirmLabel="Delete note"
      destructive
      pending={remove.isPending}
      error={remove.error}
      onConfirm={handleConfirm}
      onClose={onClose}
    />
  )
}
