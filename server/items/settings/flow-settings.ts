import { choice, flag, json, map, number, options, type StepSettings, text } from './setting.ts';

const CONDITIONS = map('What is asked of each item, and how the answers are put together.');
const LOOSE = flag('Values are converted before they are compared.', { standard: 'false' });
const BINARY = text('The binary field of the item.', { standard: 'data' });

/** Settings of the steps that say where items go, and of those that ask the outside. */
export const FLOW_SETTINGS: Readonly<Record<string, StepSettings>> = {
  mcpCall: {
    server: text('The server, by its name in `mcp_servers`.'),
    tool: text('The name of the tool there.'),
    arguments: json('What the tool is given: a JSON object, or an expression that gives one.', {
      standard: '{}',
    }),
  },
  if: {
    conditions: CONDITIONS,
    combineOperation: choice('all any', 'Whether all conditions have to hold, in version 1.'),
    looseTypeValidation: LOOSE,
    options,
  },
  filter: {
    conditions: CONDITIONS,
    combineConditions: choice('AND OR', 'Whether all conditions have to hold, in version 1.'),
    looseTypeValidation: LOOSE,
    options,
  },
  switch: {
    mode: choice(
      'rules expression',
      'Rules with an output each, or an expression that gives the number of the output.',
    ),
    rules: map('The rules in the order of their outputs.', { when: 'mode = rules' }),
    output: number('The number of the output, from 0.', { when: 'mode = expression' }),
    numberOutputs: number('How many outputs there are.', {
      standard: '4',
      when: 'mode = expression',
    }),
    outputsAmount: number('How many outputs there are, in version 2.', {
      standard: '4',
      when: 'mode = expression',
    }),
    dataType: choice('number boolean dateTime string', 'What is compared, in versions 1 and 2.'),
    value1: text('What the rules are asked about, in versions 1 and 2.'),
    fallbackOutput: number(
      'The output for items that fit no rule, in versions 1 and 2; -1 for none.',
      { standard: '-1' },
    ),
    looseTypeValidation: LOOSE,
    options: map('`fallbackOutput` and `allMatchingOutputs` stand here from version 3 on.'),
  },
  splitInBatches: {
    batchSize: number('How many items a round gets.', { standard: '1' }),
    options: map('`reset` begins anew with the items at hand.'),
  },
  wait: {
    resume: choice(
      'timeInterval specificTime webhook form',
      'What ends the wait; the import makes the last two a step of a person.',
    ),
    amount: number('How long.', { standard: '5', when: 'resume = timeInterval' }),
    unit: choice('seconds minutes hours days', 'Of what; hours in version 1.', {
      when: 'resume = timeInterval',
    }),
    dateTime: text('When.', { when: 'resume = specificTime' }),
    options,
  },
  stopAndError: {
    errorType: choice('errorMessage errorObject', 'What the run fails with.'),
    errorMessage: text('The message.', { when: 'errorType = errorMessage' }),
    errorObject: json('The error as JSON.', { when: 'errorType = errorObject' }),
  },
  noOp: {},
  respondToWebhook: {
    respondWith: choice(
      'firstIncomingItem allIncomingItems json jwt noData redirect text binary',
      'What the answer of the run is.',
    ),
    responseBody: text('The text or JSON of the answer.', { when: 'respondWith = json, text' }),
    redirectURL: text('Where the caller is sent.', { when: 'respondWith = redirect' }),
    enableResponseOutput: flag('The answer is handed on by a second output.', {
      standard: 'false',
    }),
    options,
  },
  webhook: {
    path: text('The end of the address that starts the workflow there.'),
    httpMethod: choice('GET POST PUT PATCH DELETE HEAD', 'The method of the call.'),
    multipleMethods: flag('Several methods, with an output each.', { standard: 'false' }),
    authentication: choice(
      'none basicAuth headerAuth jwtAuth',
      'What the caller has to show there.',
    ),
    responseMode: choice(
      'onReceived lastNode responseNode',
      'When the caller gets an answer, and which.',
    ),
    responseData: choice(
      'firstEntryJson firstEntryBinary allEntries noData',
      'What the answer holds.',
      { when: 'responseMode = lastNode' },
    ),
    options,
  },
  httpRequest: {
    url: text('The address.'),
    method: choice('GET POST PUT PATCH DELETE HEAD OPTIONS', 'The method.'),
    requestMethod: choice('GET POST PUT PATCH DELETE HEAD', 'The method, in versions 1 and 2.'),
    authentication: choice(
      'none genericCredentialType predefinedCredentialType',
      'Whether a credential of the step is sent.',
    ),
    genericAuthType: choice(
      'httpHeaderAuth httpBasicAuth httpBearerAuth httpQueryAuth httpCustomAuth oAuth2Api',
      'The kind of credential.',
      { when: 'authentication = genericCredentialType' },
    ),
    nodeCredentialType: text('The kind of credential of a service.', {
      when: 'authentication = predefinedCredentialType',
    }),
    sendQuery: flag('Fields go into the query of the address.', { standard: 'false' }),
    specifyQuery: choice('keypair json', 'How they are given.', { when: 'sendQuery = true' }),
    queryParameters: map('The fields.', { when: 'specifyQuery = keypair' }),
    jsonQuery: json('The fields as JSON.', { when: 'specifyQuery = json' }),
    sendHeaders: flag('Headers are sent.', { standard: 'false' }),
    specifyHeaders: choice('keypair json', 'How they are given.', { when: 'sendHeaders = true' }),
    headerParameters: map('The headers.', { when: 'specifyHeaders = keypair' }),
    jsonHeaders: json('The headers as JSON.', { when: 'specifyHeaders = json' }),
    sendBody: flag('A body is sent.', { standard: 'false' }),
    contentType: choice(
      'json form-urlencoded multipart-form-data binaryData raw',
      'What the body is.',
      { when: 'sendBody = true' },
    ),
    specifyBody: choice('keypair json string', 'How it is given.', { when: 'sendBody = true' }),
    bodyParameters: map('The fields of the body.', { when: 'specifyBody = keypair' }),
    jsonBody: json('The body as JSON.', { when: 'specifyBody = json' }),
    body: text('The body as text.', { when: 'contentType = raw' }),
    rawContentType: text('What the text is.', { when: 'contentType = raw' }),
    inputDataFieldName: text('The binary field that is sent.', {
      when: 'contentType = binaryData',
    }),
    jsonParameters: flag('Fields are given as JSON, in versions 1 and 2.', { standard: 'false' }),
    bodyContentType: choice(
      'json form-urlencoded multipart-form-data raw',
      'What the body is, in versions 1 and 2.',
    ),
    bodyParametersJson: json('The body, in versions 1 and 2.', { when: 'jsonParameters = true' }),
    headerParametersJson: json('The headers, in versions 1 and 2.', {
      when: 'jsonParameters = true',
    }),
    queryParametersJson: json('The query, in versions 1 and 2.', { when: 'jsonParameters = true' }),
    bodyParametersUi: map('The fields of the body, in versions 1 and 2.'),
    headerParametersUi: map('The headers, in versions 1 and 2.'),
    queryParametersUi: map('The fields of the query, in versions 1 and 2.'),
    responseFormat: choice('json file string', 'What the answer is read as, in versions 1 and 2.'),
    dataPropertyName: text('The field that gets the answer, in versions 1 and 2.', {
      standard: 'data',
    }),
    allowUnauthorizedCerts: flag('Refused: certificates are always checked. In versions 1 and 2.', {
      standard: 'false',
    }),
    options: map('Batches, redirects, response format, pagination and time limit.'),
  },
  convertToFile: {
    operation: choice('csv html iCal toJson ods rtf toText xls xlsx toBinary', 'What the file is.'),
    mode: choice('once each', 'One file for all items, or one for each.', {
      when: 'operation = toJson',
    }),
    sourceProperty: text('The field that is written.', { when: 'operation = toText, toBinary' }),
    binaryPropertyName: BINARY,
    options,
  },
  extractFromFile: {
    operation: choice(
      'csv html fromIcs fromJson ods pdf rtf text xml xls xlsx binaryToPropery',
      'What the file is.',
    ),
    binaryPropertyName: BINARY,
    destinationKey: text('The field that gets the content.', { standard: 'data' }),
    options,
  },
  moveBinaryData: {
    mode: choice('binaryToJson jsonToBinary', 'From where to where.'),
    setAllData: flag('The content becomes the whole item.', {
      standard: 'true',
      when: 'mode = binaryToJson',
    }),
    sourceKey: text('The field that is read.', { standard: 'data' }),
    destinationKey: text('The field that is written.', { standard: 'data' }),
    convertAllData: flag('The whole item is written.', {
      standard: 'true',
      when: 'mode = jsonToBinary',
    }),
    options,
  },
  spreadsheetFile: {
    operation: choice('fromFile toFile', 'From a file or into one.'),
    fileFormat: choice('autodetect csv html ods rtf xls xlsx', 'What the file is.'),
    binaryPropertyName: BINARY,
    options,
  },
  compression: {
    operation: choice('decompress compress', 'What is done.'),
    binaryPropertyName: text('The binary fields, with commas between them.', { standard: 'data' }),
    outputFormat: choice('zip gzip', 'What is made.', { when: 'operation = compress' }),
    fileName: text('The name of the file.', { when: 'operation = compress' }),
    binaryPropertyOutput: text('The binary field that gets it.', {
      standard: 'data',
      when: 'operation = compress',
    }),
    outputPrefix: text('What the names of the fields begin with.', {
      standard: 'file_',
      when: 'operation = decompress',
    }),
  },
  readWriteFile: {
    operation: choice('read write', 'Refused: no step reads files of the machine.'),
    fileSelector: text('The files.', { when: 'operation = read' }),
    fileName: text('The file.', { when: 'operation = write' }),
    dataPropertyName: BINARY,
    options,
  },
  html: {
    operation: choice(
      'generateHtmlTemplate extractHtmlContent convertToHtmlTable',
      'What is done.',
    ),
    html: text('The template.', { when: 'operation = generateHtmlTemplate' }),
    sourceData: choice('json binary', 'Where the page is.', {
      when: 'operation = extractHtmlContent',
    }),
    dataPropertyName: text('The field that holds it.', {
      standard: 'data',
      when: 'operation = extractHtmlContent',
    }),
    extractionValues: map('What is read by which selectors.', {
      when: 'operation = extractHtmlContent',
    }),
    options,
  },
  htmlExtract: {
    sourceData: choice('json binary', 'Where the page is.'),
    dataPropertyName: text('The field that holds it.', { standard: 'data' }),
    extractionValues: map('What is read by which selectors.'),
    options,
  },
  markdown: {
    mode: choice('htmlToMarkdown markdownToHtml', 'From what to what.'),
    html: text('The page.', { when: 'mode = htmlToMarkdown' }),
    markdown: text('The text.', { when: 'mode = markdownToHtml' }),
    destinationKey: text('The field that holds the result.', { standard: 'data' }),
    options,
  },
  xml: {
    mode: choice('xmlToJson jsonToxml', 'From what to what.'),
    dataPropertyName: text('The field that is read, or that is written.', { standard: 'data' }),
    options,
  },
  emailSend: {
    operation: choice('send sendAndWait', 'The second is a step of a person.'),
    fromEmail: text('Who sends it.'),
    toEmail: text('Who gets it, with commas between the addresses.'),
    ccEmail: text('Who gets a copy, in versions 1 and 2.'),
    bccEmail: text('Who gets a copy unseen, in versions 1 and 2.'),
    subject: text('The subject.'),
    emailFormat: choice('html text both', 'What is sent, from version 2 on; text in version 2.'),
    text: text('The plain text.'),
    html: text('The page.'),
    attachments: text('Binary fields, with commas between them, in version 1.'),
    options,
  },
  rssFeedRead: { url: text('The address of the feed.'), options },
  postgres: {
    operation: choice('insert executeQuery select update upsert deleteTable', 'What is done.'),
    schema: map('The schema of the table.'),
    table: map('The table.'),
    query: text('The SQL.', { when: 'operation = executeQuery' }),
    columns: map('The columns and their values.', { when: 'operation = insert, update, upsert' }),
    returnAll: flag('All rows are read.', { standard: 'false', when: 'operation = select' }),
    limit: number('How many rows are read.', { standard: '50', when: 'operation = select' }),
    where: map('Which rows.', { when: 'operation = select, deleteTable' }),
    combineConditions: choice('AND OR', 'Whether all conditions have to hold.'),
    sort: map('In which order.', { when: 'operation = select' }),
    deleteCommand: choice('truncate delete drop', 'What goes.', {
      when: 'operation = deleteTable',
    }),
    restartSequences: flag('Numbers begin anew.', {
      standard: 'false',
      when: 'deleteCommand = truncate',
    }),
    options,
  },
  executeWorkflow: {
    source: choice(
      'database parameter localFile url',
      'Where the called workflow is; its draft is found by the import.',
    ),
    workflowId: map('The workflow: its id, or a choice of a list.', { when: 'source = database' }),
    workflowJson: json('The workflow itself.', { when: 'source = parameter' }),
    workflowInputs: map('The fields that the called workflow gets.'),
    mode: choice('once each', 'One call with all items, or one for each.'),
    options: map('`waitForSubWorkflow`: whether the step waits for its end.'),
  },
};
