import * as notices from '@agency/contract/descriptors/incident-notices'
import type { Incident, NoticeReceiver } from '@agency/contract/types'
import { lazy, Suspense, useState } from 'react'
import { useEditForm } from '../../../lib/form/use-edit-form.ts'
import { paths } from '../../../lib/paths.ts'
import { useCall } from '../../../lib/use-call.ts'
import { TextInput } from '../../../ui/form/TextInput.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { ReasonedButton } from '../../../ui/ReasonedButton.tsx'
import { useToast } from '../../../ui/Toast.tsx'
import css from '../incidents.module.css'
import { noticeReads } from '../incidents-search.ts'
import { customersText, type NoticeFields, noticeProblems } from './notice-words.ts'

const PreviewDialog = lazy(() => import('./PreviewDialog.tsx').then((m) => ({ default: m.PreviewDialog })))

type State = { receivers: NoticeReceiver[]; draft: NoticeFields; has_mail_server: boolean }

/** Begins with a draft that says what is known; each customer gets it with their own name and sites. */
export function NoticeForm({ incident, state }: { incident: Incident; state: State }) {
  const [preview, setPreview] = useState<NoticeFields>()
  const send = useCall(notices.sendIncidentNotice, noticeReads)
  const toast = useToast()
  const form = useEditForm<NoticeFields>({ values: state.draft, follows: true, problemsOf: noticeProblems, call: send })
  const ready = state.receivers.filter(({ standing }) => standing === 'ready')
  const blocked =
    send.denial ??
    (incident.status === 'merged' ? 'Already merged' : undefined) ??
    (state.has_mail_server ? undefined : 'No mail server') ??
    (ready.length === 0 ? 'No affected customer can be emailed' : undefined)
  const handleSend = (words: NoticeFields) =>
    send.mutate(
      { params: { id: incident.id }, body: words },
      {
        onSuccess: ({ notice }) => {
          form.discard()
          toast.success(`Emailing ${customersText(notice.receivers.length)}`)
        },
      },
    )
  return (
    <Panel title="Notify customers">
      <form
        className={css['notices']}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          form.submit(handleSend)
        }}
      >
        {state.has_mail_server ? null : (
          <p className={css['notice']} role="note">
            Notices need a mail server. <a href={paths.config}>Set "Mail server" under System Config</a> first.
          </p>
        )}
        <TextInput form={form} name="subject" label="Subject" />
        <TextInput
          form={form}
          name="text"
          label="Text"
          multiline
          rows={10}
          help="{customer} becomes the name, {sites} their affected sites."
        />
        {form.refusal ? (
          <p role="alert" className={css['problem']}>
            {form.refusal.message}
          </p>
        ) : null}
        <div className={css['editorFoot']}>
          <ReasonedButton
            variant="outlined"
            aria-haspopup="dialog"
            blocked={state.receivers.length === 0 ? 'Nobody is affected' : send.denial}
            onClick={() => form.submit(setPreview)}
          >
            Preview
          </ReasonedButton>
          <ReasonedButton type="submit" variant="contained" blocked={blocked} loading={send.isPending}>
            {`Email ${customersText(ready.length)}`}
          </ReasonedButton>
        </div>
      </form>
      <Suspense>
        {preview ? (
          <PreviewDialog
            incidentId={incident.id}
            receivers={state.receivers}
            words={preview}
            onClose={() => setPreview(undefined)}
          />
        ) : null}
      </Suspense>
    </Panel>
  )
}
