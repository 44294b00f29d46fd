import * as incidents from '@agency/contract/descriptors/incidents'
import type { Incident } from '@agency/contract/types'
import { useContext, useState } from 'react'
import { copyText } from '../../lib/clipboard.ts'
import { saveText } from '../../lib/download.ts'
import { isOutdated } from '../../lib/form/refusal.ts'
import { formatCount } from '../../lib/format.ts'
import { incidentName } from '../../lib/incident-status.ts'
import { RefreshContext } from '../../lib/refresh.ts'
import { useCall } from '../../lib/use-call.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { useToast } from '../../ui/Toast.tsx'
import css from './incidents.module.css'
import { incidentReads } from './incidents-search.ts'

type Saved = { markdown: string; is_draft: boolean; version: number }
/** What was typed, with the version that it was typed over. */
type Typed = { markdown: string; version: number }
type Props = { incident: Incident; saved: Saved; denial: string | undefined }

const longest = 100_000

/** The text as it was saved comes in by itself until somebody types over it. */
export function PostmortemEditor({ incident, saved, denial }: Props) {
  const [typed, setTyped] = useState<Typed>()
  const save = useSave(incident, () => setTyped(undefined))
  const toast = useToast()
  const { markdown, version } = typed ?? saved
  const isUnchanged = !typed && !saved.is_draft
  const problem = markdown.length > longest ? `The text has ${formatCount(longest)} characters at most` : undefined
  const name = incidentName(incident.number)
  const handleCopy = async () => {
    if (await copyText(markdown)) toast.success(`Copied the post-mortem of ${name}`)
    else toast.error('The post-mortem could not be copied')
  }
  return (
    <Panel
      title="Post-mortem"
      actions={
        <>
          {typed ? <StatusChip tone="warning" label="Not saved" /> : null}
          {!typed && saved.is_draft ? (
            <StatusChip tone="neutral" label="Draft" title="Written from the timeline; not saved yet" />
          ) : null}
        </>
      }
      footer={
        <div className={css['editorFoot']}>
          <Button onClick={() => saveText(`${name}-post-mortem.md`, markdown)}>Download .md</Button>
          <Button onClick={() => void handleCopy()}>Copy</Button>
          {typed ? <Button onClick={() => setTyped(undefined)}>Discard changes</Button> : null}
          <ReasonedButton
            variant="contained"
            blocked={denial ?? problem ?? (save.isOutdated ? 'Choose which text to keep first' : undefined)}
            disabled={isUnchanged}
            loading={save.isPending ? 'Saving' : false}
            onClick={() => save.run({ markdown, version })}
          >
            Save post-mortem
          </ReasonedButton>
        </div>
      }
    >
      <SaveProblem
        save={save}
        onKeep={() => setTyped({ markdown, version: saved.version })}
        onDiscard={() => setTyped(undefined)}
      />
      <textarea
        aria-label="Text of the post-mortem"
        className={css['editor']}
        rows={24}
        spellCheck
        readOnly={denial !== undefined}
        disabled={save.isPending}
        value={markdown}
        onChange={(event) => setTyped({ markdown: event.target.value, version })}
      />
      {problem ? (
        <p role="alert" className={css['problem']}>
          {problem}
        </p>
      ) : null}
    </Panel>
  )
}

function useSave({ id, number }: Incident, onSaved: () => void) {
  const call = useCall(incidents.savePostmortem, incidentReads)
  const refresh = useContext(RefreshContext)
  const toast = useToast()
  const run = (body: Typed) =>
    call.mutate(
      { params: { id }, body },
      {
        onSuccess: () => {
          onSaved()
          toast.success(`Saved the post-mortem of ${incidentName(number)}`)
        },
        onError: (error) => {
          if (isOutdated(error)) void refresh([incidents.getPostmortem])
        },
      },
    )
  return { ...call, run, isOutdated: call.error !== null && isOutdated(call.error) }
}

type ProblemProps = { save: ReturnType<typeof useSave>; onKeep: () => void; onDiscard: () => void }

function SaveProblem({ save, onKeep, onDiscard }: ProblemProps) {
  const decide = (how: () => void) => () => {
    how()
    save.reset()
  }
  if (!save.error) return null
  if (!save.isOutdated) return <ErrorPanel error={save.error}>The post-mortem was not saved.</ErrorPanel>
  return (
    <ErrorPanel tone="warning" error={save.error} title="Someone else saved a different text">
      Your text is still here, but not saved.{' '}
      <span className={css['decision']}>
        <Button size="small" color="inherit" variant="outlined" onClick={decide(onDiscard)}>
          Show the saved text
        </Button>
        <Button size="small" color="inherit" variant="outlined" onClick={decide(onKeep)}>
          Keep my text
        </Button>
      </span>
    </ErrorPanel>
  )
}
