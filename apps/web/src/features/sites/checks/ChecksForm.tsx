import * as checks from '@agency/contract/descriptors/checks'
import type { Site, SiteChecks } from '@agency/contract/types'
import { useWatch } from 'react-hook-form'
import { useEditForm } from '../../../lib/form/use-edit-form.ts'
import type { ApiError } from '../../../lib/problems.ts'
import { useCall } from '../../../lib/use-call.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorPanel } from '../../../ui/ErrorPanel.tsx'
import { ReasonedButton } from '../../../ui/ReasonedButton.tsx'
import { AnswerInputs } from './AnswerInputs.tsx'
import { type CheckFields, checkChanges, checkFields, checkNames, checkProblems } from './check-fields.ts'
import css from './checks.module.css'
import { RequestInputs } from './RequestInputs.tsx'
import { TrialPanel } from './TrialPanel.tsx'

type Props = { site: Pick<Site, 'id' | 'site_name'>; settings: SiteChecks }

/** A change by somebody else comes in below what was typed. */
export function ChecksForm({ site, settings }: Props) {
  const save = useCall(checks.updateSiteChecks, [checks.getSiteChecks])
  const trial = useCall(checks.trySiteChecks)
  const { denial } = save
  const forget = () => {
    save.reset()
    trial.reset()
  }
  const edited = useEditForm<CheckFields>({
    values: checkFields(settings),
    follows: true,
    problemsOf: checkProblems,
    call: { ...save, error: save.error ?? trial.error, reset: forget },
    fields: checkNames,
  })
  const form = { ...edited, isPending: edited.isPending || denial !== undefined }
  const fields = useWatch({ control: form.control }) as CheckFields
  const changes = checkChanges(fields, form.before)
  const params = { id: site.id }
  const handleTry = (typed: CheckFields, before: CheckFields) => {
    save.reset()
    trial.mutate({ params, body: checkChanges(typed, before) ?? {} })
  }
  const handleSave = (typed: CheckFields, before: CheckFields) => {
    const body = checkChanges(typed, before)
    if (!body) return
    trial.reset()
    save.mutate(
      { params, body: { version: settings.version, ...body } },
      { success: `Saved the checks of ${site.site_name}`, onSuccess: edited.discard },
    )
  }
  return (
    <div className={css['form']}>
      <p className={css['hint']}>
        Checks <bdi>{settings.url}</bdi>
      </p>
      {denial ? <p className={css['hint']}>{denial}</p> : null}
      <RequestInputs form={form} />
      <AnswerInputs form={form} fields={fields} />
      {form.refusal ? <Refusal error={form.refusal} /> : null}
      <div className={css['buttons']}>
        <ReasonedButton
          variant="outlined"
          blocked={trial.denial}
          loading={trial.isPending ? 'Trying' : false}
          onClick={() => edited.submit(handleTry)}
        >
          Try now
        </ReasonedButton>
        <span className={css['gap']} />
        {changes ? (
          <>
            <Button disabled={save.isPending} onClick={form.discard}>
              Discard
            </Button>
            <ReasonedButton
              variant="contained"
              blocked={denial}
              loading={save.isPending ? 'Saving' : false}
              onClick={() => edited.submit(handleSave)}
            >
              Save checks
            </ReasonedButton>
          </>
        ) : null}
      </div>
      {trial.data ? <TrialPanel trial={trial.data.trial} /> : null}
    </div>
  )
}

function Refusal({ error }: { error: ApiError }) {
  const isOutdated = error.code === 'conflict'
  return (
    <ErrorPanel error={error}>
      {isOutdated
        ? 'Someone else changed these checks. Your entries are kept: review and save again.'
        : 'Not saved. Your entries are kept.'}
    </ErrorPanel>
  )
}
