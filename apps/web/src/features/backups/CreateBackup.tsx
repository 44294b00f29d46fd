import * as backups from '@agency/contract/descriptors/backups'
import type { Backup, BackupType } from '@agency/contract/types'
import { type FormEvent, useId, useState } from 'react'
import { useCall } from '../../lib/use-call.ts'
import { Panel } from '../../ui/Panel.tsx'
import { Progress } from '../../ui/Progress.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { progressWords, typeLabels } from './backup-words.ts'
import css from './backups.module.css'

const stale = [backups.listBackups]

type Props = {
  /** The one that is being made. */
  open: Backup | undefined
  incrementalBlocked: string | null | undefined
  /** Why none can be begun now. */
  blocked: string | undefined
}

/** What is to be backed up under which name, and how far it is. */
export function CreateBackup({ open, incrementalBlocked, blocked }: Props) {
  return (
    <Panel title="New backup">
      {open ? <Running backup={open} /> : <Form incrementalBlocked={incrementalBlocked} blocked={blocked} />}
    </Panel>
  )
}

function Running({ backup: { id, name, progress } }: { backup: Backup }) {
  const cancel = useCall(backups.cancelBackup, stale)
  const { label, ...words } = progressWords(progress)
  return (
    <Progress
      {...words}
      label={`${label}: ${name}`}
      cancelling={cancel.isPending}
      onCancel={() =>
        cancel.mutate({ params: { id } }, { success: 'Backup cancelled', failure: 'The backup was not cancelled.' })
      }
    />
  )
}

function Form({ incrementalBlocked, blocked }: Omit<Props, 'open'>) {
  const create = useCall(backups.createBackup, stale)
  const [type, setType] = useState<BackupType>('full')
  const [name, setName] = useState('')
  const [isMissing, setMissing] = useState(false)
  const id = useId()
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    const wanted = name.trim()
    setMissing(wanted === '')
    if (wanted === '' || blocked !== undefined) return
    create.mutate(
      { body: { type, name: wanted } },
      { failure: 'The backup was not started.', success: `Backing up: ${wanted}`, onSuccess: () => setName('') },
    )
  }
  return (
    <form className={css['form']} onSubmit={handleSubmit} noValidate>
      <fieldset className={css['types']}>
        <legend>Type</legend>
        <Choice type="full" chosen={type} help="All data in one portable file" onChoose={setType} />
        <Choice
          type="incremental"
          chosen={type}
          help={incrementalBlocked ?? 'Changes since the last incremental backup'}
          isBlocked={incrementalBlocked !== null}
          onChoose={setType}
        />
      </fieldset>
      <label className={css['name']} htmlFor={id}>
        Backup name
        <input
          id={id}
          value={name}
          maxLength={120}
          placeholder="Before the spring release"
          autoComplete="off"
          aria-invalid={isMissing || undefined}
          aria-describedby={isMissing ? `${id}-problem` : undefined}
          onChange={(event) => {
            setName(event.target.value)
            setMissing(false)
          }}
        />
        {isMissing ? (
          <span id={`${id}-problem`} role="alert" className={css['problem']}>
            Enter a backup name
          </span>
        ) : null}
      </label>
      <ReasonedButton type="submit" variant="contained" loading={create.isPending} blocked={create.denial ?? blocked}>
        Create Backup
      </ReasonedButton>
    </form>
  )
}

type ChoiceProps = {
  type: BackupType
  chosen: BackupType
  help: string
  isBlocked?: boolean
  onChoose: (type: BackupType) => void
}

function Choice({ type, chosen, help, isBlocked = false, onChoose }: ChoiceProps) {
  const id = useId()
  return (
    <span className={css['choice']} data-blocked={isBlocked}>
      <input
        id={id}
        type="radio"
        name="backup-type"
        value={type}
        checked={chosen === type}
        disabled={isBlocked}
        aria-describedby={`${id}-help`}
        onChange={() => onChoose(type)}
      />
      <span>
        <label htmlFor={id}>{typeLabels[type]}</label>
        <span id={`${id}-help`} className={css['help']}>
          {help}
        </span>
      </span>
    </span>
  )
}
