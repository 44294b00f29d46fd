import * as incidents from '@agency/contract/descriptors/incidents'
import type { Incident } from '@agency/contract/types'
import { type FormEvent, useId, useState } from 'react'
import { formatCount } from '../../lib/format.ts'
import { incidentName } from '../../lib/incident-status.ts'
import { useCall } from '../../lib/use-call.ts'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { useToast } from '../../ui/Toast.tsx'
import css from './incidents.module.css'
import { incidentReads } from './incidents-search.ts'

const longest = 4000

export function NoteBox({ incident }: { incident: Incident }) {
  const [text, setText] = useState('')
  const [tried, setTried] = useState(false)
  const add = useCall(incidents.addIncidentNote, incidentReads)
  const toast = useToast()
  const id = useId()
  const problem = tried ? noteProblem(text) : undefined
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (noteProblem(text)) return
    add.mutate(
      { params: { id: incident.id }, body: { text: text.trim() } },
      {
        onSuccess: () => {
          setText('')
          setTried(false)
          toast.success(`Note added to ${incidentName(incident.number)}`)
        },
      },
    )
  }
  return (
    <form className={css['noteBox']} onSubmit={handleSubmit} noValidate>
      <label htmlFor={id}>Add a note</label>
      <textarea
        id={id}
        className={css['control']}
        rows={3}
        value={text}
        disabled={add.denial !== undefined || add.isPending}
        aria-invalid={problem ? true : undefined}
        aria-describedby={`${id}-text`}
        onChange={(event) => setText(event.target.value)}
      />
      <div className={css['noteFoot']}>
        <NoteText id={`${id}-text`} problem={problem} error={add.error} />
        <ReasonedButton type="submit" variant="outlined" blocked={add.denial} loading={add.isPending}>
          Add note
        </ReasonedButton>
      </div>
    </form>
  )
}

function noteProblem(text: string): string | undefined {
  const length = text.trim().length
  if (length === 0) return 'Enter a note'
  return length > longest
    ? `A note has ${formatCount(longest)} characters at most; this one has ${formatCount(length)}`
    : undefined
}

type TextProps = {
  id: string
  problem: string | undefined
  error: { message: string; requestId?: string | undefined } | null
}

function NoteText({ id, problem, error }: TextProps) {
  const failure =
    problem ?? (error ? `${error.message} ${error.requestId ? `Request ${error.requestId}` : ''}` : undefined)
  return (
    <p id={id} className={css[failure ? 'problem' : 'muted']} role={failure ? 'alert' : undefined}>
      {failure ?? 'Notes cannot be changed later.'}
    </p>
  )
}
