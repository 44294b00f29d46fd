import * as sites from '@agency/contract/descriptors/sites'
import type { SiteEnvironment } from '@agency/contract/types'
import { useState } from 'react'
import { useCall } from '../../../lib/use-call.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorPanel } from '../../../ui/ErrorPanel.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { ReasonedButton } from '../../../ui/ReasonedButton.tsx'
import { useToast } from '../../../ui/Toast.tsx'
import css from './configuration.module.css'
import {
  bodyOf,
  differenceOf,
  differenceText,
  emptyVariable,
  isChanged,
  namesOf,
  problemOf,
  unchanged,
} from './environment-draft.ts'
import { KeptVariable } from './KeptVariable.tsx'
import { NewVariableRow } from './NewVariableRow.tsx'

type Props = { siteId: string; environment: SiteEnvironment }

export function EnvironmentEditor({ siteId, environment: newest }: Props) {
  // What was saved comes in before it leaves the draft: until then the state shows that it was made of.
  const [sent, setSent] = useState<SiteEnvironment>()
  const environment = sent ?? newest
  const [draft, setDraft] = useState(unchanged)
  const [tried, setTried] = useState(false)
  const toast = useToast()
  const save = useCall(sites.saveSiteEnvironment, environmentReads)
  const { denial } = save
  const names = namesOf(environment)
  const isDirty = isChanged(draft, names)
  const problems = new Map(draft.added.map((row) => [row.id, problemOf(row, draft, names)]))

  const discard = () => {
    setDraft(unchanged)
    setTried(false)
    save.reset()
  }
  const handleSave = () => {
    setTried(true)
    if ([...problems.values()].some((problem) => problem !== undefined)) return
    setSent(environment)
    save.mutate(
      { params: { id: siteId }, body: { version: environment.version, ...bodyOf(draft, names) } },
      {
        onSuccess: (answer) => {
          toast.success(`Saved the environment as version ${answer.environment.version}`)
          discard()
        },
        onSettled: () => setSent(undefined),
      },
    )
  }
  return (
    <div className={css['editor']}>
      {names.length === 0 && draft.added.length === 0 ? (
        <p className={css['nothing']}>No environment variables yet.</p>
      ) : (
        <ul className={css['variables']} aria-label="Environment variables">
          {names.map((name) => (
            <KeptVariable key={name} name={name} draft={draft} denial={denial} onChange={setDraft} />
          ))}
          {draft.added.map((row, index) => (
            <NewVariableRow
              key={row.id}
              row={row}
              number={index + 1}
              problem={tried ? problems.get(row.id) : undefined}
              onChange={setDraft}
            />
          ))}
        </ul>
      )}
      {save.error ? (
        <ErrorPanel error={save.error}>
          {save.error.code === 'conflict'
            ? 'Someone else saved another version. Your changes are kept: review and save again.'
            : 'The environment was not saved. Your changes are kept.'}
        </ErrorPanel>
      ) : null}
      <div className={css['buttons']}>
        <ReasonedButton
          size="small"
          startIcon={<Icon name="add" />}
          blocked={denial}
          onClick={() => setDraft((now) => ({ ...now, added: [...now.added, emptyVariable()] }))}
        >
          Add variable
        </ReasonedButton>
        {isDirty ? (
          <>
            <span className={css['difference']}>{differenceText(differenceOf(draft, names))}</span>
            <Button size="small" disabled={save.isPending} onClick={discard}>
              Discard
            </Button>
            <Button size="small" variant="contained" loading={save.isPending ? 'Saving' : false} onClick={handleSave}>
              {`Save as version ${environment.version + 1}`}
            </Button>
          </>
        ) : null}
      </div>
    </div>
  )
}

export const environmentReads = [sites.getSiteEnvironment, sites.listEnvironmentVersions, sites.getSite]
