import css from './Person.module.css'

type Props = {
  name: string
  /** A second, muted line, such as the email. */
  detail?: string | null
  /** A sentence of the console about somebody: a name at its start in another script does not turn it round. */
  isSentence?: true
}

/** Somebody as the provider names them: cut to one line, in full on hover, and unable to turn the text around it. */
export function Person(props: Props) {
  return <span className={css['person']}>{personLines(props)}</span>
}

/** The lines alone, for a place that holds nothing else: a table shows a hundred of them. */
export function personLines({ name, detail, isSentence }: Props) {
  return (
    <>
      <bdi className={css['name']} title={name} dir={isSentence && 'ltr'}>
        {name}
      </bdi>
      {detail && detail !== name ? (
        <bdi className={css['detail']} title={detail}>
          {detail}
        </bdi>
      ) : null}
    </>
  )
}
