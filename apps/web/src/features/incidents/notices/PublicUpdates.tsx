import * as statusPages from '@agency/contract/descriptors/status-pages'
import type { Incident } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../lib/api.ts'
import { useEditForm } from '../../../lib/form/use-edit-form.ts'
import { useCall } from '../../../lib/use-call.ts'
import { DateTime } from '../../../ui/DateTime.tsx'
import { TextInput } from '../../../ui/form/TextInput.tsx'
import { ListFailure } from '../../../ui/ListFailure.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { ReasonedButton } from '../../../ui/ReasonedButton.tsx'
import { useToast } from '../../../ui/Toast.tsx'
import css from '../incidents.module.css'
import { updateReads } from '../incidents-search.ts'

type Fields = { text: string }

const problemsOf = ({ text }: Fields) => ({
  text:
    text.trim() === ''
      ? 'Enter an update'
      : text.trim().length > 1000
        ? 'An update has 1,000 characters at most'
        : undefined,
})

/** What the status pages say of it. Without any update they say nothing. */
export function PublicUpdates({ incident }: { incident: Incident }) {
  const published = useQuery(q(statusPages.listPublicUpdates, { params: { id: incident.id } }))
  const updates = published.data?.updates
  const add = useCall(statusPages.addPublicUpdate, updateReads)
  const toast = useToast()
  const form = useEditForm<Fields>({ values: { text: '' }, problemsOf, call: add })
  const handleAdd = ({ text }: Fields) =>
    add.mutate(
      { params: { id: incident.id }, body: { text: text.trim() } },
      {
        onSuccess: () => {
          form.discard()
          toast.success('Published on the status pages')
        },
      },
    )
  return (
    <Panel title="Public updates">
      <form
        className={css['notices']}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          form.submit(handleAdd)
        }}
      >
        <TextInput
          form={form}
          name="text"
          label="Update"
          multiline
          rows={3}
          help="Public on the status pages of affected sites. Do not name customers."
        />
        {form.refusal ? (
          <p role="alert" className={css['problem']}>
            {form.refusal.message}
          </p>
        ) : null}
        <div className={css['editorFoot']}>
          <ReasonedButton
            type="submit"
            variant="outlined"
            blocked={add.denial ?? (incident.status === 'merged' ? 'Already merged' : undefined)}
            loading={add.isPending}
          >
            Publish update
          </ReasonedButton>
        </div>
      </form>
      <ListFailure
        error={published.error}
        what="the published updates"
        at={updates ? published.dataUpdatedAt : null}
        onRetry={() => void published.refetch()}
      />
      {updates?.length === 0 ? <p className={css['muted']}>No updates yet.</p> : null}
      {updates && updates.length > 0 ? (
        <ol className={css['alerts']} aria-label="Published updates">
          {updates.map(({ id, at, text, actor }) => (
            <li key={id} className={css['alert']}>
              <span className={css['words']}>
                <span className={css['emailText']}>{text}</span>
                <span className={css['muted']}>
                  <DateTime at={at} /> by <bdi>{actor}</bdi>
                </span>
              </span>
            </li>
          ))}
        </ol>
      ) : null}
    </Panel>
  )
}
