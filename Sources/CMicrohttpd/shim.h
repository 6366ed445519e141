// GNU libmicrohttpd takes its options, and gives what it knows about a connection, by functions with
// a variable number of arguments, which Swift cannot call. Each is called here.
#include <microhttpd.h>
#include <sys/socket.h>

// The settings of a daemon that accepts connections from a socket that listens already.
typedef struct {
  MHD_socket listener;
  unsigned int threads;
  unsigned int connections;
  unsigned int idle_seconds;
  size_t connection_memory;
  MHD_AccessHandlerCallback answer;
  MHD_RequestCompletedCallback completed;
  MHD_NotifyConnectionCallback connection_changed;
  void *context;
} daemon_settings;

// Starts a daemon with threads of its own; NULL if it cannot.
static inline struct MHD_Daemon *daemon_start(daemon_settings settings) {
  struct MHD_OptionItem options[] = {
      {MHD_OPTION_LISTEN_SOCKET, settings.listener, NULL},
      {MHD_OPTION_CONNECTION_LIMIT, settings.connections, NULL},
      {MHD_OPTION_CONNECTION_TIMEOUT, settings.idle_seconds, NULL},
      {MHD_OPTION_CONNECTION_MEMORY_LIMIT, (intptr_t)settings.connection_memory, NULL},
      {MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)settings.completed, settings.context},
      {MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)settings.connection_changed, settings.context},
      // Refuses what is ambiguous, such as two lengths of one body.
      {MHD_OPTION_STRICT_FOR_CLIENT, 1, NULL},
      // A pool of one thread is no pool; the option is then the end of the list.
      {settings.threads > 1 ? MHD_OPTION_THREAD_POOL_SIZE : MHD_OPTION_END, settings.threads, NULL},
      {MHD_OPTION_END, 0, NULL}};
  return MHD_start_daemon(
      MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC, 0, NULL, NULL,
      settings.answer, settings.context, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

// The socket of a connection; -1 if it has none.
static inline MHD_socket connection_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

// The address of a connection's client; NULL if it has none.
static inline const struct sockaddr *connection_address(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info ? info->client_addr : NULL;
}

// What the reader of an answer without known length returns at its end.
static inline ssize_t content_end(void) { return MHD_CONTENT_READER_END_OF_STREAM; }

// Swift's names of the constants depend on the version of the header, so they are given here.

static inline enum MHD_Result callback_succeeded(void) { return MHD_YES; }

static inline enum MHD_Result callback_failed(void) { return MHD_NO; }

static inline int is_completed(enum MHD_RequestTerminationCode end) {
  return end == MHD_REQUEST_TERMINATED_COMPLETED_OK;
}

static inline int is_opened(enum MHD_ConnectionNotificationCode change) {
  return change == MHD_CONNECTION_NOTIFY_STARTED;
}

// An answer with a copy of these bytes.
static inline struct MHD_Response *response_copying(size_t count, const void *bytes) {
  return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

static inline void each_header(
    struct MHD_Connection *connection, MHD_KeyValueIterator body, void *context) {
  MHD_get_connection_values(connection, MHD_HEADER_KIND, body, context);
}

static inline void each_query_item(
    struct MHD_Connection *connection, MHD_KeyValueIterator body, void *context) {
  MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, body, context);
}
