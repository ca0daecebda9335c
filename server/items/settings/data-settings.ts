import {
  choice,
  code,
  flag,
  json,
  list,
  map,
  number,
  options,
  type StepSettings,
  text,
} from './setting.ts';

const OTHERS = 'Which other fields of the item stay.';

/** Settings of the steps that change, choose and join items. */
export const DATA_SETTINGS: Readonly<Record<string, StepSettings>> = {
  aggregate: {
    aggregate: choice(
      'aggregateIndividualFields aggregateAllItemData',
      'What becomes one item: fields into lists, or whole items.',
    ),
    fieldsToAggregate: map('The fields that become lists, and how the lists are called.', {
      when: 'aggregate = aggregateIndividualFields',
    }),
    destinationFieldName: text('The field that holds the items.', {
      standard: 'data',
      when: 'aggregate = aggregateAllItemData',
    }),
    include: choice('allFields specifiedFields allFieldsExcept', OTHERS, {
      when: 'aggregate = aggregateAllItemData',
    }),
    fieldsToInclude: text('The fields, with commas between them.', {
      when: 'include = specifiedFields',
    }),
    fieldsToExclude: text('The fields that go, with commas between them.', {
      when: 'include = allFieldsExcept',
    }),
    options,
  },
  compareDatasets: {
    mergeByFields: map('The pairs of fields by which items of the two inputs are matched.'),
    resolve: choice(
      'preferInput1 preferInput2 mix includeBoth',
      'Whose fields a matched item gets where they differ.',
    ),
    preferWhenMix: choice('input1 input2', 'Whose fields win.', { when: 'resolve = mix' }),
    exceptWhenMix: text('Fields of the other input, with commas between them.', {
      when: 'resolve = mix',
    }),
    fuzzyCompare: flag('Values that look alike are equal: "3" and 3.', { standard: 'false' }),
    options,
  },
  itemLists: {
    operation: choice(
      'splitOutItems aggregateItems concatenateItems removeDuplicates sort limit summarize',
      'What is done; each is a step of its own in newer versions.',
    ),
    fieldToSplitOut: text('The field whose list becomes items.', {
      when: 'operation = splitOutItems',
    }),
    aggregate: choice('aggregateIndividualFields aggregateAllItemData', 'What becomes one item.', {
      when: 'operation = concatenateItems',
    }),
    fieldsToAggregate: map('The fields that become lists.', {
      when: 'operation = concatenateItems',
    }),
    include: choice('noOtherFields allOtherFields selectedOtherFields', OTHERS),
    options,
  },
  limit: {
    maxItems: number('How many items stay.', { standard: '1' }),
    keep: choice('firstItems lastItems', 'Which end of the list stays.'),
  },
  merge: {
    mode: choice(
      'append combine chooseBranch combineBySql',
      'How the inputs become one list; older versions have names of their own.',
    ),
    numberInputs: number('How many inputs there are.', { standard: '2' }),
    combineBy: choice(
      'combineByFields combineByPosition combineAll',
      'Which items are put together.',
      { when: 'mode = combine' },
    ),
    fieldsToMatchString: text('Fields that are equal in both, with commas between them.', {
      when: 'combineBy = combineByFields',
    }),
    advanced: flag('The two inputs call the field by different names.', { standard: 'false' }),
    mergeByFields: map('The pairs of fields.', { when: 'advanced = true' }),
    joinMode: choice(
      'keepMatches keepNonMatches keepEverything enrichInput1 enrichInput2',
      'Which items stay.',
      { when: 'combineBy = combineByFields' },
    ),
    outputDataFrom: choice('both input1 input2', 'Whose items are handed on.', {
      when: 'joinMode = keepMatches',
    }),
    output: choice('specifiedInput empty', 'What is handed on once all inputs have come.', {
      when: 'mode = chooseBranch',
    }),
    useDataOfInput: text('The number of that input.', {
      standard: '1',
      when: 'output = specifiedInput',
    }),
    query: text('A SELECT over the inputs, which are the tables input1, input2 and so on.', {
      when: 'mode = combineBySql',
    }),
    join: choice('left inner outer', 'Which items stay, in version 1.', {
      when: 'mode = mergeByIndex',
    }),
    combinationMode: choice(
      'mergeByFields mergeByPosition multiplex',
      'Which items are put together, in version 2.',
      { when: 'mode = combine' },
    ),
    propertyName1: text('The field of the first input, in version 1.', {
      when: 'mode = mergeByKey',
    }),
    propertyName2: text('The field of the second input, in version 1.', {
      when: 'mode = mergeByKey',
    }),
    options,
  },
  removeDuplicates: {
    operation: choice(
      'removeDuplicateInputItems removeItemsSeenInPreviousExecutions clearDeduplicationHistory',
      'What is looked at; only the items at hand are here.',
    ),
    compare: choice(
      'allFields allFieldsExcept selectedFields',
      'Which fields make two items equal.',
    ),
    fieldsToCompare: text('The fields, with commas between them.', {
      when: 'compare = selectedFields',
    }),
    fieldsToExclude: text('The fields that do not count, with commas between them.', {
      when: 'compare = allFieldsExcept',
    }),
    dedupeValue: text('The value that earlier executions are asked for; not done here.'),
    options,
  },
  renameKeys: {
    keys: map('Names of fields and their new names.'),
    additionalOptions: map('Names that match a pattern.'),
  },
  set: {
    mode: choice('manual raw', 'Fields one by one, or one JSON text for all.'),
    assignments: map('The fields with their types and values, from version 3.3 on.', {
      when: 'mode = manual',
    }),
    fields: map('The fields, in versions 3 to 3.2.', { when: 'mode = manual' }),
    values: map('The fields by their type, in versions 1 and 2.'),
    jsonOutput: json('The JSON text of the item.', { when: 'mode = raw' }),
    includeOtherFields: flag('Other fields of the item stay, from version 3.3 on.', {
      standard: 'false',
    }),
    include: choice('all none selected except', OTHERS),
    includeFields: text('The fields, with commas between them.', { when: 'include = selected' }),
    excludeFields: text('The fields that go, with commas between them.', {
      when: 'include = except',
    }),
    keepOnlySet: flag('Only the fields that are set here stay, in versions 1 and 2.', {
      standard: 'false',
    }),
    duplicateItem: flag('The item is handed on several times.', { standard: 'false' }),
    duplicateCount: number('How many more.', { standard: '0', when: 'duplicateItem = true' }),
    options,
  },
  sort: {
    type: choice('simple random code', 'By fields, by chance, or by code.'),
    sortFieldsUi: map('The fields and whether they rise or fall.', { when: 'type = simple' }),
    code: code('Compares `a` and `b`.', { when: 'type = code' }),
    options,
  },
  splitOut: {
    fieldToSplitOut: text('The fields whose lists become items, with commas between them.'),
    include: choice('noOtherFields allOtherFields selectedOtherFields', OTHERS),
    fieldsToInclude: text('The fields, with commas between them.', {
      when: 'include = selectedOtherFields',
    }),
    options,
  },
  summarize: {
    fieldsToSummarize: map('What is computed of which fields: sums, counts, lists and so on.'),
    fieldsToSplitBy: text('Fields whose values make groups, with commas between them.'),
    options,
  },
  code: {
    mode: choice('runOnceForAllItems runOnceForEachItem', 'How often the code runs.'),
    language: choice(
      'javaScript python pythonNative',
      'The language of the code; Python does not run here.',
    ),
    jsCode: code('Gives items, or one item.', { when: 'language = javaScript' }),
    pythonCode: code('Not run here.', { when: 'language = python' }),
  },
  function: { functionCode: code('Gives the items; `items` is what comes in.') },
  functionItem: { functionCode: code('Gives the item; `item` is what comes in.') },
  executionData: {
    operation: choice('save', 'What is done with what is remembered of a run.'),
    dataToSave: map('Names and values that the source remembers of a run.'),
  },
  dateTime: {
    operation: choice(
      'getCurrentDate addToDate subtractFromDate formatDate getTimeBetweenDates roundDate extractDate',
      'What is done, from version 2 on.',
    ),
    action: choice('format calculate', 'What is done, in version 1.'),
    date: text('The date.'),
    value: text('The date, in version 1.'),
    magnitude: text('The date that something is added to.', { when: 'operation = addToDate' }),
    duration: number('How much.', { standard: '0' }),
    timeUnit: choice(
      'days years quarters months weeks hours minutes seconds milliseconds',
      'Of what.',
    ),
    format: text('How the date is written.', {
      standard: 'MM/dd/yyyy',
      when: 'operation = formatDate',
    }),
    customFormat: text('How the date is written.', { when: 'format = custom' }),
    startDate: text('The earlier date.', { when: 'operation = getTimeBetweenDates' }),
    endDate: text('The later date.', { when: 'operation = getTimeBetweenDates' }),
    units: list('The units that the time is given in.', {
      when: 'operation = getTimeBetweenDates',
    }),
    part: choice('month year week day hour minute second', 'The part of the date.', {
      when: 'operation = extractDate',
    }),
    mode: choice('roundDown roundUp', 'To which side.', { when: 'operation = roundDate' }),
    toNearest: choice('month year week day hour minute second', 'To what.', {
      when: 'operation = roundDate',
    }),
    includeTime: flag('The present date comes with its time.', { standard: 'true' }),
    outputFieldName: text('The field that holds the result.'),
    options,
  },
  crypto: {
    action: choice('hash hmac sign generate', 'What is done.'),
    type: choice('MD5 SHA256 SHA3-256 SHA3-384 SHA3-512 SHA384 SHA512', 'The way of computing.'),
    value: text('The text.'),
    secret: text('The key.', { when: 'action = hmac' }),
    privateKey: text('The key.', { when: 'action = sign' }),
    encoding: choice('hex base64', 'How the result is written.'),
    encodingType: choice('uuid ascii base64 hex', 'What is made.', { when: 'action = generate' }),
    stringLength: number('How long it is.', { standard: '32', when: 'action = generate' }),
    dataPropertyName: text('The field that holds the result.', { standard: 'data' }),
  },
};
