/** What a field of a node may hold: a value, other nodes, or a part that has no tag of its own. */
export type FieldRule = 'value' | 'nodes' | { part: string }
export type Shape = Readonly<Record<string, FieldRule>>

const value = 'value'
const nodes = 'nodes'
const part = (name: string): FieldRule => ({ part: name })
const values = (...names: string[]): Shape => Object.fromEntries(names.map((name) => [name, value]))

const select: Shape = {
  ...{ distinctClause: nodes, targetList: nodes, fromClause: nodes, whereClause: nodes, groupClause: nodes },
  ...{ groupDistinct: value, havingClause: nodes, windowClause: nodes, valuesLists: nodes, sortClause: nodes },
  ...{
    limitOffset: nodes,
    limitCount: nodes,
    limitOption: value,
    withClause: part('WithClause'),
    op: value,
    all: value,
  },
  ...{ larg: part('SelectStmt'), rarg: part('SelectStmt') },
}

const window: Shape = {
  ...{ name: value, refname: value, partitionClause: nodes, orderClause: nodes, frameOptions: value },
  ...{ startOffset: nodes, endOffset: nodes },
}

/**
 * Each node of the grammar that a query may hold, with each field that it may have: a clause that is not named here, such as
 * INTO or FOR UPDATE, is refused with the node that has it.
 */
export const queryShapes: Readonly<Record<string, Shape>> = {
  SelectStmt: select,
  WithClause: { ctes: nodes, recursive: value },
  CommonTableExpr: {
    ctename: value,
    aliascolnames: nodes,
    ctematerialized: value,
    ctequery: nodes,
    cterecursive: value,
  },
  RangeVar: { ...values('schemaname', 'relname', 'inh', 'relpersistence'), alias: part('Alias') },
  RangeSubselect: { lateral: value, subquery: nodes, alias: part('Alias') },
  RangeFunction: {
    ...{ ...values('lateral', 'ordinality', 'is_rowsfrom'), functions: nodes, alias: part('Alias'), coldeflist: nodes },
  },
  ColumnDef: { colname: value, typeName: part('TypeName'), is_local: value },
  JoinExpr: {
    ...{ jointype: value, isNatural: value, larg: nodes, rarg: nodes, usingClause: nodes, quals: nodes },
    ...{ alias: part('Alias'), join_using_alias: part('Alias'), rtindex: value },
  },
  Alias: { aliasname: value, colnames: nodes },
  ResTarget: { name: value, indirection: nodes, val: nodes },
  ColumnRef: { fields: nodes },
  A_Star: {},
  A_Const: {
    ival: part('Integer'),
    fval: part('Float'),
    boolval: part('Boolean'),
    sval: part('String'),
    isnull: value,
  },
  A_Expr: {
    ...{ kind: value, name: nodes, lexpr: nodes, rexpr: nodes },
    ...values('rexpr_list_start', 'rexpr_list_end'),
  },
  A_ArrayExpr: { elements: nodes, ...values('list_start', 'list_end') },
  A_Indirection: { arg: nodes, indirection: nodes },
  A_Indices: { is_slice: value, lidx: nodes, uidx: nodes },
  BoolExpr: { boolop: value, args: nodes },
  NullTest: { arg: nodes, nulltesttype: value, argisrow: value },
  BooleanTest: { arg: nodes, booltesttype: value },
  CaseExpr: { arg: nodes, args: nodes, defresult: nodes },
  CaseWhen: { expr: nodes, result: nodes },
  CoalesceExpr: { args: nodes },
  MinMaxExpr: { op: value, args: nodes },
  SubLink: { subLinkType: value, subLinkId: value, testexpr: nodes, operName: nodes, subselect: nodes },
  RowExpr: { args: nodes, row_format: value, colnames: nodes },
  ParamRef: { number: value },
  TypeCast: { arg: nodes, typeName: part('TypeName') },
  TypeName: { names: nodes, typmods: nodes, typemod: value, arrayBounds: nodes },
  FuncCall: {
    ...{ funcname: nodes, args: nodes, agg_order: nodes, agg_filter: nodes, over: part('WindowDef') },
    ...values('agg_within_group', 'agg_star', 'agg_distinct', 'func_variadic', 'funcformat'),
  },
  NamedArgExpr: { name: value, arg: nodes, argnumber: value },
  SQLValueFunction: { op: value, typmod: value },
  WindowDef: window,
  SortBy: { node: nodes, sortby_dir: value, sortby_nulls: value, useOp: nodes },
  GroupingFunc: { args: nodes },
  GroupingSet: { kind: value, content: nodes },
  List: { items: nodes },
  String: { sval: value },
  Integer: { ival: value },
  Float: { fval: value },
  Boolean: { boolval: value },
}

/** A change: of one table, without a clause that another table or another statement could come in by. */
export const writeShapes: Readonly<Record<string, Shape>> = {
  ...queryShapes,
  InsertStmt: {
    relation: part('RangeVar'),
    cols: nodes,
    selectStmt: nodes,
    withClause: part('WithClause'),
    override: value,
  },
  UpdateStmt: {
    ...{ relation: part('RangeVar'), targetList: nodes, whereClause: nodes, fromClause: nodes },
    withClause: part('WithClause'),
  },
  DeleteStmt: {
    ...{ relation: part('RangeVar'), usingClause: nodes, whereClause: nodes, withClause: part('WithClause') },
  },
  MultiAssignRef: { source: nodes, ...values('colno', 'ncolumns') },
  SetToDefault: { typeMod: value },
}
