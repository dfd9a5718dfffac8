;;; toscac.el --- TOSCA while you type, by tosca-lsp  -*- lexical-binding: t -*-

;; Emacs 28 with eglot 1.9, or Emacs 29 and later:
;;
;;     (add-to-list 'load-path "…/editors/emacs")
;;     (require 'toscac)
;;
;; Files are recognized by their keys, whatever their names are. M-x toscac-show-plan,
;; toscac-show-topology and toscac-show-machines open a page in the browser.

;;; Code:

(require 'eglot)

(define-derived-mode toscac-mode text-mode "TOSCA"
  "Service templates, manifests, stacks and blueprints."
  (setq-local comment-start "# ")
  (setq-local indent-tabs-mode nil)
  (setq-local tab-width 2))

(defconst toscac-marks
  "^[\"']?\\(tosca_definitions_version\\|heat_template_version\\|instance_groups\\)[\"']?[ \t]*:"
  "What a file of ours has among its keys.")

(defun toscac-is-ours ()
  "Whether the buffer holds a file of ours."
  (and buffer-file-name
       (string-match-p "\\.\\(ya?ml\\|tosca\\)\\'" buffer-file-name)
       (save-excursion
         (goto-char (point-min))
         (re-search-forward toscac-marks nil t))))

(defun toscac-page (command)
  "Write the page that COMMAND makes of the buffer; give its name."
  (let ((page (jsonrpc-request (eglot--current-server-or-lose) :workspace/executeCommand
                               (list :command command
                                     :arguments (vector (eglot--path-to-uri buffer-file-name)))
                               :timeout 60)))
    (make-temp-file "toscac" nil (if (equal (plist-get page :format) "html") ".html" ".txt")
                    (plist-get page :text))))

(defun toscac-show-plan ()
  "Open what would run."
  (interactive)
  (browse-url-of-file (toscac-page "toscac.showPlan")))

(defun toscac-show-topology ()
  "Open what would be there."
  (interactive)
  (browse-url-of-file (toscac-page "toscac.showTopology")))

(defun toscac-show-machines ()
  "Open how operations change cells."
  (interactive)
  (browse-url-of-file (toscac-page "toscac.showMachine")))

(add-to-list 'magic-mode-alist '(toscac-is-ours . toscac-mode))
(add-to-list 'eglot-server-programs '(toscac-mode . ("tosca-lsp")))
(add-hook 'toscac-mode-hook #'eglot-ensure)

(provide 'toscac)
;;; toscac.el ends here
