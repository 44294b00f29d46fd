import { type ClipboardEvent, type Dispatch, type SetStateAction, useId } from 'react'
import { Button } from '../../../ui/Button.tsx'
import css from './configuration.module.css'
import { type EnvironmentDraft, type NewVariable, pastedVariables } from './environment-draft.ts'
import { ValueField } from './ValueField.tsx'

type Props = {
  row: NewVariable
  number: number
  problem: string | undefined
  onChange: Dispatch<SetStateAction<EnvironmentDraft>>
}

export function NewVariableRow({ row, number, problem, onChange }: Props) {
  const id = useId()
  const become = (next: readonly NewVariable[]) =>
    onChange((now) => ({ ...now, added: now.added.flatMap((each) => (each.id === row.id ? next : [each])) }))
  // The lines of a file are taken apart, so that none of it has to be typed.
  const handlePaste = (event: ClipboardEvent) => {
    const pasted = pastedVariables(event.clipboardData.getData('text'))
    if (!pasted || row.name !== '') return
    event.preventDefault()
    become(pasted)
  }
  return (
    <li className={css['variable']}>
      <span className={css['newName']}>
        <input
          className={css['control']}
          value={row.name}
          aria-label={`Name ${number}`}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? id : undefined}
          placeholder="NAME, or paste NAME=value lines"
          autoComplete="off"
          spellCheck={false}
          // biome-ignore lint/a11y/noAutofocus: the row was asked for by the button above
          autoFocus
          onChange={(event) => become([{ ...row, name: event.target.value }])}
          onPaste={handlePaste}
        />
        {problem ? (
          <span id={id} role="alert" className={css['problem']}>
            {problem}
          </span>
        ) : null}
      </span>
      <span className={css['value']}>
        <ValueField label={`Value ${number}`} value={row.value} onChange={(value) => become([{ ...row, value }])} />
      </span>
      <span className={css['acts']}>
        <Button size="small" aria-label={`Remove variable ${number}`} onClick={() => become([])}>
          Remove
        </Button>
      </span>
    </li>
  )
}
